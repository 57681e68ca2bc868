import type { Selection } from "../../operation/selection.ts";
import type { ReadableRow, RowWriter } from "../../operation/visible-rows.ts";
import { relationTotal, writeTotal } from "./relation-total.ts";
import { writeGroups } from "./write-groups.ts";
import type { Row } from "../../model/model.ts";
import { knownText } from "../../model/row-texts.ts";
import { stringifyRow } from "../../util/stringify-row.ts";

/** A row in REST's form: relations under their own names, pages as lists. Denied members are absent. */
export type Representation = Readonly<Record<string, unknown>>;

export const REPRESENTATION: RowWriter<Record<string, unknown>> = {
  reuse: (row) => row,
  create: () => ({}),
  field: (result, name, value) => {
    result[name] = value;
  },
  one: (result, { relation }, related) => {
    result[relation] = related;
  },
  many: (result, selected, page) => {
    const { relation, selection } = selected;
    result[relation] = page.write(REPRESENTATION, selection);
    const total = relationTotal(selected, page);
    if (total !== undefined) writeTotal(result, relation, total);
  },
  groups: (result, { relation }, { groups }) => {
    writeGroups(result, relation, groups);
  },
};

/** Cached texts of frozen rows. */
const TEXTS = new WeakMap<Representation, string>();

/** Serializes rows to JSON. Hidden rows are null. `written` has the same rows as the store returned them. */
export function serializeRows(rows: readonly (Representation | null)[], written?: readonly Row[]): string {
  const known = written === undefined ? undefined : knownText(written);
  if (known !== undefined && rows.every((row, index) => row === written?.[index])) return known;
  if (!areFrozen(rows)) return JSON.stringify(rows);
  let text = "[";
  for (const [index, row] of rows.entries())
    text += `${index === 0 ? "" : ","}${row === null ? null : frozenText(row)}`;
  return `${text}]`;
}

/** Whether the rows are immutable, because their store freezes them. */
export function areFrozen(rows: readonly (Representation | null)[]): boolean {
  return rows.every((row) => Object.isFrozen(row));
}

/**
 * Serializes one row. Set `isKept` to false for a row that was just written: it is rarely requested soon, so caching
 * its text would cost more than it saves.
 */
export function serializeRow(selection: Selection, row: ReadableRow, isKept = true): string {
  const representation = row.write(REPRESENTATION, selection);
  if (!isKept) return stringifyRow(representation);
  // Before the test whether it is frozen, which looks at each of its members.
  return (
    TEXTS.get(representation) ??
    (Object.isFrozen(representation) ? frozenText(representation) : stringifyRow(representation))
  );
}

/** A store that deeply freezes its rows returns the same object for the same row. */
function frozenText(row: Representation): string {
  let text = TEXTS.get(row);
  if (text === undefined) {
    text = stringifyRow(row);
    TEXTS.set(row, text);
  }
  return text;
}
