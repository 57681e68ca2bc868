import fc from "fast-check";
import type { SchemaPlan } from "./schema-plan.ts";
import { changeConventions, CONVENTIONS, isConvention } from "./hidden-conventions.ts";
import {
  type Entry,
  entryOf,
  type Link,
  type Note,
  realmIn,
  rowValues,
  type Row,
  type RowValues,
  type State,
  valueAt,
} from "./state.ts";
import { toCode } from "./values.ts";
import type { View } from "./view.ts";
import { REFUSED_BY_HOOK, type World } from "./world.ts";

/** A change that a caller must not see, if it really cannot. `at` selects the row, `value` the change. */
export interface HiddenChange {
  readonly kind: (typeof KINDS)[number];
  readonly at: number;
  readonly value: number;
  readonly row: RowValues;
  readonly boxId: number | null;
  readonly code: number | null;
  readonly entry: Omit<Entry, "at">;
}

const KINDS = [
  "internal",
  "price",
  "field",
  "row",
  "move",
  "thereAndBack",
  "deleteRow",
  "addRow",
  "addNote",
  "deleteNote",
  "tag",
  "link",
  "unlink",
  ...CONVENTIONS,
] as const;

export const hiddenChange = (plan: SchemaPlan): fc.Arbitrary<HiddenChange> =>
  fc.record({
    kind: fc.oneof(fc.constantFrom(...KINDS), fc.constantFrom(...CONVENTIONS)),
    at: fc.nat(20),
    value: fc.nat(20),
    row: rowValues(plan),
    boxId: fc.option(fc.integer({ min: 0, max: 7 })),
    code: fc.option(fc.integer({ min: 0, max: 9 })),
    entry: entryOf(plan),
  });

/** A new state, and how a running world reaches it. A change that only a store can make has no `perform`. */
export interface Applied {
  readonly state: State;
  /** An intermediate state. */
  readonly between?: State;
  readonly perform?: (world: World) => Promise<unknown>;
}

/**
 * Returns `undefined` if the caller could see the change. In a world that `runs`, a change also increments the
 * version of its row.
 */
export function applyHidden(
  plan: SchemaPlan,
  view: View,
  state: State,
  change: HiddenChange,
  runs: boolean,
): Applied | undefined {
  const applied = propose({ ...plan, hasVersion: plan.hasVersion && runs }, state, change);
  if (applied === undefined) return undefined;
  const states = applied.between === undefined ? [applied.state] : [applied.between, applied.state];
  return states.every((one) => view.viewOf(one) === view.viewOf(state)) ? applied : undefined;
}

/** The state after all changes that the caller cannot see. */
export function applyAllHidden(plan: SchemaPlan, view: View, first: State, changes: readonly HiddenChange[]): State {
  return changes.reduce((now, change) => applyHidden(plan, view, now, change, false)?.state ?? now, first);
}

const itemAt = <T>(items: readonly T[], at: number): T | undefined => items[at % Math.max(items.length, 1)];

function propose(plan: SchemaPlan, state: State, change: HiddenChange): Applied | undefined {
  const { rows, notes, tags, links } = state;
  const { kind, at, value } = change;
  if (isConvention(kind)) return changeConventions(plan, state, change);
  if (kind === "addRow") return isRefused(plan, change) ? undefined : addRow(plan, state, change);
  const tag = itemAt(tags, value);
  if (kind === "tag") {
    if (tag === undefined) return undefined;
    const { color, size, ownerId } = change.row;
    return { state: { ...state, tags: tags.map((one) => (one === tag ? { ...one, color, size, ownerId } : one)) } };
  }
  if (kind === "deleteNote") {
    const note = itemAt(notes, at);
    if (note === undefined) return undefined;
    return {
      state: { ...state, notes: notes.filter((one) => one !== note) },
      perform: async ({ system }) => system.note.delete(note.id),
    };
  }
  const row = itemAt(rows, at);
  if (row === undefined) return undefined;
  if (kind === "link" || kind === "unlink") {
    if (!plan.hasLinks || tag === undefined) return undefined;
    const others = links.filter(([from, to]) => from !== row.id || to !== tag.id);
    const now: readonly Link[] = kind === "link" ? [...others, [row.id, tag.id]] : others;
    return { state: { ...state, links: now }, perform: async ({ system }) => system.row[kind](row.id, "tags", tag.id) };
  }
  if (kind === "addNote") return addNote(plan, state, row.id, "n");
  if (kind === "deleteRow") return deleteRow(state, row);
  return kind === "thereAndBack" ? thereAndBack(plan, state, row, change) : setFields(plan, state, row, change);
}

/** Two changes, the second of which reverts the first. */
function thereAndBack(plan: SchemaPlan, state: State, row: Row, change: HiddenChange): Applied | undefined {
  const { color, size, price } = change.row;
  const there = setTo(plan, state, row, { color, size, price });
  const changed = there.state.rows.find(({ id }) => id === row.id);
  if (changed === undefined) return undefined;
  const back = setTo(plan, there.state, changed, { color: row.color, size: row.size, price: row.price });
  return {
    state: back.state,
    between: there.state,
    perform: async (world) => {
      await there.perform?.(world);
      await back.perform?.(world);
    },
  };
}

/** Returns whether a hook rejects the row. */
function isRefused({ hasHooks }: SchemaPlan, { row: { color, size } }: HiddenChange): boolean {
  return hasHooks && color === REFUSED_BY_HOOK.color && size === REFUSED_BY_HOOK.size;
}

function setFields(plan: SchemaPlan, state: State, row: Row, change: HiddenChange): Applied | undefined {
  const set = fieldsOf(plan, state, change);
  return set === undefined ? undefined : setTo(plan, state, row, set);
}

function setTo(plan: SchemaPlan, state: State, row: Row, set: Readonly<Record<string, unknown>>): Applied {
  const revision = plan.hasVersion ? { revision: (row["revision"] as number) + 1 } : {};
  return {
    state: { ...state, rows: state.rows.map((one) => (one === row ? { ...one, ...set, ...revision } : one)) },
    perform: async ({ system }) => system.row.actions.set(row.id, toCode(plan.fields, set)),
  };
}

function fieldsOf(
  plan: SchemaPlan,
  { rows }: State,
  change: HiddenChange,
): Readonly<Record<string, unknown>> | undefined {
  const { kind, at, value, row, boxId } = change;
  switch (kind) {
    case "internal":
      return plan.hasSecret && value % 2 === 0 ? { secret: value } : { hidden: value };
    case "price":
      return { price: value };
    case "field": {
      const field = itemAt(plan.fields, at);
      return field === undefined ? undefined : { [field.name]: valueAt(field, value % 4) };
    }
    case "move":
      return { boxId: rows.some(({ id }) => id === boxId) ? boxId : null };
    default: {
      const { revision: _, realm: __, ...set } = row;
      return set;
    }
  }
}

function addRow(plan: SchemaPlan, { rows, notes, ...others }: State, change: HiddenChange): Applied {
  const id = Math.max(499, ...[...rows, ...others.deleted].map((one) => one.id)) + 1;
  const row: Row = {
    id,
    ...change.row,
    ...("revision" in change.row ? { revision: 2 } : {}),
    boxId: rows.some((one) => one.id === change.boxId) ? change.boxId : null,
    code: rows.some((one) => one.code === change.code) ? null : change.code,
  };
  return {
    state: { rows: [...rows, row], notes, ...others },
    perform: async ({ system, callNext }) => {
      const { id: _, hidden, secret, revision: __, realm: ___, ...values } = row;
      const input = toCode(plan.fields, values);
      callNext(5_000 + id);
      const made = await system.row.create(plan.hasClientKeys ? { id, ...input } : input);
      const internal = secret === undefined ? { hidden } : { hidden, secret };
      await system.row.actions.set(made.id, plan.hasClientKeys ? internal : { id, ...internal });
    },
  };
}

function addNote(plan: SchemaPlan, state: State, rowId: number, text: string): Applied {
  const id = Math.max(499, ...state.notes.map((one) => one.id)) + 1;
  const note: Note = { id, rowId, text, ...realmIn(plan) };
  return {
    state: { ...state, notes: [...state.notes, note] },
    perform: async (world) => {
      const made = await world.system.note.create({ rowId, text });
      await world.system.note.actions.set(made.id, { id });
    },
  };
}

function deleteRow(state: State, row: Row): Applied | undefined {
  const { rows, notes, links } = state;
  if (rows.some(({ boxId }) => boxId === row.id) || notes.some(({ rowId }) => rowId === row.id)) return undefined;
  return {
    state: { ...state, rows: rows.filter((one) => one !== row), links: links.filter(([from]) => from !== row.id) },
    perform: async ({ system }) => system.row.delete(row.id),
  };
}
