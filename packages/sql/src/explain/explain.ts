import type { Connection } from "../database.ts";
import type { Dialect } from "../dialect/dialect.ts";
import { advise, mysqlScans, postgresScans, type Scan, sqliteScans } from "./advice.ts";
import { record, type RecordedStatement } from "./recording.ts";

/** The statements that a piece of work ran, with their times and missing indexes. */
export interface Explanation {
  /** Everything as text for people. */
  readonly text: string;
  /** The plan chosen for each nested list, and the reason. */
  readonly choices: readonly string[];
  readonly statements: readonly ExplainedStatement[];
}

export interface ExplainedStatement {
  readonly sql: string;
  readonly milliseconds: number;
  readonly rows: number;
  /** Recommended indexes. */
  readonly advice: readonly string[];
}

/** Runs `work`, then lets the database explain each statement that the store ran for it. */
export async function explainWork(
  connection: Connection,
  dialect: Dialect,
  work: () => Promise<unknown>,
): Promise<Explanation> {
  const { statements, choices } = await record(work);
  const explained: ExplainedStatement[] = [];
  for (const one of statements) {
    const { statement, milliseconds, rows } = one;
    const advice = isExplainable(statement.sql) ? advise(dialect.name, await scansOf(connection, dialect, one)) : [];
    explained.push({ sql: statement.sql, milliseconds, rows, advice });
  }
  return { text: print(choices, explained), choices, statements: explained };
}

function isExplainable(text: string): boolean {
  return /^(select|insert|update|delete|with)\b/i.test(text);
}

async function scansOf(
  connection: Connection,
  dialect: Dialect,
  { statement, values }: RecordedStatement,
): Promise<readonly Scan[]> {
  const ask = async (prefix: string): Promise<readonly (readonly unknown[])[]> => {
    const { rows } = await connection.query({ ...statement, sql: prefix + statement.sql, name: undefined }, values);
    return rows;
  };
  switch (dialect.name) {
    case "postgres": {
      const [row] = await ask("explain (format json) ");
      const plan = row?.[0];
      return postgresScans(typeof plan === "string" ? JSON.parse(plan) : plan);
    }
    case "sqlite":
      return sqliteScans((await ask("explain query plan ")).map((row) => row[3] as string));
    case "mysql":
      return mysqlScans(
        (await ask("explain ")).map((row) => [
          String(row[2] as string),
          row[3] as string,
          Number(row[8]),
          (row[9] ?? "") as string,
        ]),
      );
  }
}

function print(choices: readonly string[], statements: readonly ExplainedStatement[]): string {
  const lines = choices.map((choice) => `plan: ${choice}`);
  for (const [index, { sql: text, milliseconds, rows, advice }] of statements.entries()) {
    lines.push(`${index + 1}. ${text}`, `   ${rows} ${rows === 1 ? "row" : "rows"} in ${milliseconds.toFixed(2)} ms`);
    for (const one of advice) lines.push(`   advice: ${one}`);
  }
  return lines.join("\n");
}
