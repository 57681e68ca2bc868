import { meaning, type Tree } from "../rule-tree.ts";
import type { Note, Row, Rules, State } from "./world.ts";

/** The values that the requests write to a row. */
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
