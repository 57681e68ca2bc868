import { findTests } from "./find-tests.ts";
import { REASONS } from "./reasons.ts";
import { TITLES } from "./titles.ts";

export const BEGIN = "<!-- catalogue -->\n\n";
export const END = "\n<!-- /catalogue -->";

/** The table of docs/security.md: each case with its tests, or the reason for a missing test. */
export function printTable(): string {
  const found = findTests();
  const rows = Object.entries(TITLES).map(([id, title]) => {
    const files = (found.get(id) ?? []).map((file) => `\`${file}\``).join(", ");
    const where = [files, REASONS[id] ?? ""].filter((part) => part !== "").join(". ");
    return `| ${id} | ${title} | ${where} |\n`;
  });
  return `| | attack or fault | tests, or the reason why there is no test |\n|---|---|---|\n${rows.join("")}`;
}
