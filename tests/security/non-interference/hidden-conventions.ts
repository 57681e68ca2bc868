import type { Applied, HiddenChange } from "./hidden-change.ts";
import type { SchemaPlan } from "./schema-plan.ts";
import { deletedIn, type State, timeAt } from "./state.ts";

/** Changes of deleted rows and of histories, which only stores make. */
export const CONVENTIONS = [
  "softDelete",
  "restore",
  "deletedField",
  "addDeleted",
  "removeDeleted",
  "addEntry",
  "removeEntry",
] as const;

export function isConvention(kind: HiddenChange["kind"]): kind is (typeof CONVENTIONS)[number] {
  return CONVENTIONS.some((one) => one === kind);
}

export function changeConventions(plan: SchemaPlan, state: State, change: HiddenChange): Applied | undefined {
  if (change.kind === "addEntry" || change.kind === "removeEntry") {
    return plan.hasHistory ? changeHistory(state, change) : undefined;
  }
  return plan.hasSoftDelete ? changeDeleted(plan, state, change) : undefined;
}

function changeHistory(state: State, { kind, at, entry }: HiddenChange): Applied | undefined {
  const { entries } = state;
  if (kind === "removeEntry")
    return { state: { ...state, entries: entries.filter((_, index) => index !== at % Math.max(entries.length, 1)) } };
  // Between entries of the past and those of requests.
  return { state: { ...state, entries: [...entries, { ...entry, at: timeAt(1_000 + entries.length) }] } };
}

function changeDeleted(
  plan: SchemaPlan,
  state: State,
  { kind, at, value, row: drawn }: HiddenChange,
): Applied | undefined {
  const { rows, deleted, notes } = state;
  if (kind === "softDelete") {
    const row = rows[at % Math.max(rows.length, 1)];
    const isReferenced =
      row === undefined || rows.some(({ boxId }) => boxId === row.id) || notes.some(({ rowId }) => rowId === row.id);
    if (isReferenced) return undefined;
    const gone = { ...row, ...deletedIn(plan, timeAt(500 + value)) };
    return { state: { ...state, rows: rows.filter((one) => one !== row), deleted: [...deleted, gone] } };
  }
  if (kind === "addDeleted") {
    const id = Math.max(499, ...[...rows, ...deleted].map((one) => one.id)) + 1;
    const added = { id, ...drawn, boxId: null, code: null, ...deletedIn(plan, timeAt(500 + value)) };
    return { state: { ...state, deleted: [...deleted, added] } };
  }
  const row = deleted[at % Math.max(deleted.length, 1)];
  if (row === undefined) return undefined;
  if (kind === "removeDeleted") {
    const links = state.links.filter(([from]) => from !== row.id);
    return { state: { ...state, deleted: deleted.filter((one) => one !== row), links } };
  }
  if (kind === "deletedField") {
    const { color, size, price, ownerId } = drawn;
    const changed = value % 2 === 0 ? { color, size, ownerId } : { price };
    return { state: { ...state, deleted: deleted.map((one) => (one === row ? { ...one, ...changed } : one)) } };
  }
  const isTaken = row.code !== null && rows.some(({ code }) => code === row.code);
  const isDangling = row.boxId !== null && !rows.some(({ id }) => id === row.boxId);
  if (isTaken || isDangling) return undefined;
  const living = { ...row, ...deletedIn(plan, null) };
  return { state: { ...state, deleted: deleted.filter((one) => one !== row), rows: [...rows, living] } };
}
