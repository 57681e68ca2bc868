import type { AccessCell, AccessRow, AccessTable, RuleResult } from "./access-table.ts";

/** An access table in words, for a terminal and for pages. */
export interface DescribedAccess {
  /** The rights that have rules of their own. */
  readonly lines: readonly DescribedRight[];
  /** The filters that the lines refer to. `where [1]` is the first one. */
  readonly notes: readonly string[];
  /** States how many rights the lines leave out. Undefined for zero. */
  readonly inherited: string | undefined;
}

export interface DescribedRight {
  /** Such as `update book`. */
  readonly right: string;
  /** One for each principal: `yes`, `no`, `where [1]`. */
  readonly cells: readonly string[];
  readonly row: AccessRow;
}

/** Describes the rights of a table. Fields and relations without their own rule are only counted. */
export function describeAccess({ rows }: Pick<AccessTable, "rows">): DescribedAccess {
  const notes: string[] = [];
  const lines = rows
    .filter(({ isDefault }) => !isDefault)
    .map((row) => ({
      right: `${row.right} ${row.subject}`,
      cells: row.cells.map((cell) => cellText(cell, notes)),
      row,
    }));
  const defaults = rows.length - lines.length;
  return {
    lines,
    notes,
    inherited:
      defaults === 0
        ? undefined
        : `${defaults} field and relation permissions inherit from their resource (not shown).`,
  };
}

function cellText({ answer, where }: AccessCell, notes: string[]): string {
  if (answer !== "rows") return ANSWER_WORDS[answer];
  let index = notes.indexOf(where);
  if (index === -1) index = notes.push(where) - 1;
  return `where [${index + 1}]`;
}

const ANSWER_WORDS: Readonly<Record<Exclude<RuleResult, "rows">, string>> = {
  yes: "yes",
  no: "no",
  input: "by input",
  none: "no (broken)",
};
