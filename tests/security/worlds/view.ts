import { meaning, type Tree } from "../rule-tree.ts";
import type { Note, Row, Rules, State } from "./world.ts";

/** What a write of the requests makes of a row. */
export const WRITTEN = { size: 2 } as const;

/** A row that P makes, or makes of another. */
export const MADE = { color: 1, size: 1, boxId: null, code: null } as const;

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
 * All that P may know of a state, said as plainly as can be: the rows that it sees with the fields that it may read, what it
 * may do to them, and what nobody can keep from who may write: which unique values are taken, and which rows cannot be
 * deleted because others point at them. What is not in here may not make a difference.
 */
export function viewOf(rules: Rules, state: State): string {
  const visible = state.rows.filter((row) => seesRow(rules, state, row));
  const hidden = state.rows.filter((row) => !visible.includes(row));
  const boxes = [null, ...visible.map(({ id }) => id)];
  const rows = visible.map((row) => {
    const { secret: _, price, ...shown } = row;
    const mayWrite = says(rules.write, row, state.rows);
    // The row as it becomes may be its own box.
    const becoming = (set: Partial<Row>): boolean => {
      const after = { ...row, ...set };
      return says(
        rules.write,
        after,
        state.rows.map((one) => (one.id === row.id ? after : one)),
      );
    };
    return {
      ...shown,
      price: seesPrice(rules, state, row) ? price : null,
      mayWrite,
      after: [WRITTEN, MADE, ...boxes.map((boxId) => ({ boxId }))].map(becoming),
      isHeld: mayWrite && hidden.some(({ boxId }) => boxId === row.id),
    };
  });
  const made = boxes.map((boxId) => says(rules.write, { ...MADE, id: -1, price: 0, secret: 0, boxId }, state.rows));
  const mayMake = made.includes(true) || rows.some(({ mayWrite }) => mayWrite);
  const taken = mayMake ? hidden.map(({ code }) => code).filter((code) => code !== null) : [];
  const notes = state.notes.filter((note) => seesNote(rules, state, note));
  return JSON.stringify([rows, notes, made, taken.toSorted((one, other) => one - other)]);
}

/** Whether P sees anything. */
export function seesAny(rules: Rules, state: State): boolean {
  return (
    state.rows.some((row) => seesRow(rules, state, row)) || state.notes.some((note) => seesNote(rules, state, note))
  );
}
