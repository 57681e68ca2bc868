import { readFileSync, writeFileSync } from "node:fs";
import { mutants } from "./mutants.ts";
import { REDUNDANT } from "./redundant.ts";

/** The result of a mutant. `late` counts as killed, because a test that hangs is noticed. */
export interface Result {
  readonly kind: "killed" | "late" | "survived" | "broken";
  readonly by: string;
}

/** The last result of each mutant, by check and file. */
export type Results = Readonly<Record<string, Result>>;

export function nameOf({ check, file }: { readonly check: string; readonly file: string }): string {
  return `${check} | ${file}`;
}

const BEGIN = "<!-- mutants -->";
const END = "<!-- /mutants -->";

/** Writes the table between its markers in a page. */
export function writeTable(path: string, results: Results): void {
  const page = readFileSync(path, "utf8");
  const [before, rest = ""] = page.split(BEGIN);
  const after = rest.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`${path} has no ${BEGIN} … ${END}.`);
  writeFileSync(path, `${before}${BEGIN}\n${table(results)}${END}${after}`);
}

function table(results: Results): string {
  const all = Object.values(mutants).flat();
  const found = all.map((mutant) => results[nameOf(mutant)]?.kind ?? "not run");
  const count = (...kinds: string[]): number => found.filter((kind) => kinds.includes(kind)).length;
  const sum = `${all.length} mutants: ${count("killed", "late")} killed, ${count("survived")} survived, ${count("not run", "broken")} not run.\n`;
  const groups = Object.entries(mutants).map(([group, members]) => {
    const rows = members.map((mutant) => {
      const result = results[nameOf(mutant)];
      const how = result?.kind === "late" ? `it hangs` : (result?.by ?? "");
      const kind = result?.kind === "late" ? "killed" : (result?.kind ?? "not run");
      const file = mutant.file.split("/").at(-1) ?? "";
      return `| ${cell(mutant.check)} | \`${file}\` | ${kind} | ${cell(how)} |\n`;
    });
    return `\n### ${group}\n\n| without it | in | | noticed by |\n|---|---|---|---|\n${rows.join("")}`;
  });
  const redundant = Object.entries(REDUNDANT).map(([check, reason]) => `- *${check}*: ${reason}\n`);
  const intro = "\nThese mutants survive because another check gives the same protection:\n\n";
  return `\n${sum}${intro}${redundant.join("")}${groups.join("")}\n`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ").replaceAll("<", "&lt;").slice(0, 160);
}
