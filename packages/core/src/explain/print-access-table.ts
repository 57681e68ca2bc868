import type { AccessTable } from "../model/access/access-table.ts";
import { describeAccess } from "../model/access/describe-access.ts";

/**
 * Prints the table as text, with a line for each right and a column for each principal. The filters are listed below
 * it. Fields and relations without their own rule are omitted.
 */
export function printAccessTable(accesses: AccessTable): string {
  const { principals } = accesses;
  const { lines, notes, inherited } = describeAccess(accesses);
  const table = [["", ...principals], ...lines.map(({ right, cells }) => [right, ...cells])];
  const widths = ["", ...principals].map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)));
  const text = table.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  if (inherited !== undefined) text.push("", inherited);
  if (notes.length > 0) text.push("", ...notes.map((note, index) => `[${index + 1}] ${note}`));
  return text.join("\n");
}
