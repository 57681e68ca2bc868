import type { AccessCell, AccessRow, AccessTable } from "./access-table.ts";

/**
 * Prints the table as text, with a line for each right and a column for each principal. The filters are listed below
 * it. Fields and relations without their own rule are omitted.
 */
export function printAccessTable({ principals, rows }: AccessTable): string {
  const notes: string[] = [];
  const lines = rows
    .filter(({ isDefault }) => !isDefault)
    .map((row) => [`${row.right} ${row.subject}`, ...row.cells.map((cell) => cellText(cell, notes))]);
  const table = [["", ...principals], ...lines];
  const widths = ["", ...principals].map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)));
  const text = table.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const defaults = rows.filter(({ isDefault }) => isDefault).length;
  if (defaults > 0)
    text.push("", `${defaults} field and relation permissions inherit from their resource (not shown).`);
  if (notes.length > 0) text.push("", ...notes.map((note, index) => `[${index + 1}] ${note}`));
  return text.join("\n");
}

function cellText({ answer, where }: AccessCell, notes: string[]): string {
  if (answer !== "rows") return SAYS[answer];
  let index = notes.indexOf(where);
  if (index === -1) index = notes.push(where) - 1;
  return `where [${index + 1}]`;
}

const SAYS: { readonly [K in Exclude<AccessRow["cells"][number]["answer"], "rows">]: string } = {
  yes: "yes",
  no: "no",
  input: "by input",
  none: "no (broken)",
};
