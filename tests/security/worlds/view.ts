import { meaning, type Tree } from "../rule-tree.ts";
import type { Note, Row, Rules, State } from "./world.ts";

/** What a write of the requests makes of a row. */
export const WRITTEN = { size: 2 } as const;

const says = (rule: Tree, row: Row, rows: readonly Row[]): boolean =>
  meaning(rule, row, new Map(rows.map((one) => [one.id, one]))) === true;

export function seesRow({ read }: Rules, { rows }: State, row: Row): boolean {
  return says(read, row, rows);
}

export function seesNote({ note }: Rules, { rows }: State, { rowId }: Note): boolean {
  const row = rows.find(({ id }) => id === rowId);
  return row !== undefined && says(note, row, rows);
}

export function seesPrice({ price }: Rules, { rows }: State, row: Row): boolean {
  return says(price, row, rows);
}

/**
 * All that P may know of a state, said as plainly as can be: the rows that it sees with the fields that it may read, and what
 * it may do to them. What is not in here may not make a difference.
 */
export function viewOf(rules: Rules, state: State): string {
  const rows = state.rows
    .filter((row) => seesRow(rules, state, row))
    .map((row) => {
      const { secret: _, price, ...shown } = row;
      const before = says(rules.write, row, state.rows);
      // The row as it becomes may be its own box.
      const after = { ...row, ...WRITTEN };
      const all = state.rows.map((one) => (one.id === row.id ? after : one));
      return {
        ...shown,
        price: seesPrice(rules, state, row) ? price : null,
        before,
        after: says(rules.write, after, all),
      };
    });
  const notes = state.notes.filter((note) => seesNote(rules, state, note));
  return JSON.stringify([rows, notes]);
}
