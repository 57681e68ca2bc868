import { byId } from "../elements.ts";
import { curlCommands } from "./curl.ts";
import { highlight, type Language } from "./highlight.ts";
import type { LensOperation, LensView } from "./server.ts";

let cost = "";

/** Shows the cost, the access rules, the call in TypeScript and commands for a shell. */
export function showBehind(operations: readonly LensOperation[]): void {
  const sum = operations.reduce((total, one) => total + one.cost, 0);
  const max = operations[0]?.maxCost ?? 0;
  cost = `Cost ${sum} of ${max.toLocaleString("en")}`;
  byId("measures").textContent = cost;
  write("access", operations.map(({ access }) => access ?? "These rules have no explanation.").join("\n\n"), "none");
  write(
    "client",
    operations.map(({ client }) => ("code" in client ? `await ${client.code}` : `// ${client.reason}`)).join("\n"),
    "ts",
  );
  write("curl", operations.map(curlCommands).join("\n\n"), "ts");
}

/** Shows the statements that the read ran. */
export function showStatements(statements: NonNullable<LensView["statements"]>): void {
  const texts = statements.map(
    ({ sql, milliseconds, rows }) =>
      `${breakLines(sql)}\n-- ${rows} ${rows === 1 ? "row" : "rows"} in ${milliseconds.toFixed(1)} ms`,
  );
  write("sql", texts.join("\n\n"), "sql");
  const time = statements.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const count = `${statements.length} SQL ${statements.length === 1 ? "statement" : "statements"}`;
  byId("measures").textContent = `${cost} · ${count} in ${time.toFixed(1)} ms`;
}

function breakLines(sql: string): string {
  return sql.replaceAll(/ (from|where|order by|limit|left join|inner join|union all) /g, "\n$1 ");
}

function write(id: string, text: string, language: Language): void {
  const element = byId(id).firstElementChild as HTMLElement;
  element.textContent = text;
  highlight(element, language);
}
