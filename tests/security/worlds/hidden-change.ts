import fc from "fast-check";
import { viewOf, seesPrice, seesRow } from "./view.ts";
import type { Note, Row, Rules, State, World } from "./world.ts";

/** A change that may be one of what P does not see; `at` chooses the row. */
export type HiddenChange =
  | { readonly kind: "secret" | "price"; readonly at: number; readonly value: number }
  | { readonly kind: "row"; readonly at: number; readonly set: Pick<Row, "color" | "size" | "boxId"> }
  | { readonly kind: "remove"; readonly at: number }
  | { readonly kind: "add"; readonly row: Omit<Row, "id">; readonly note: boolean };

const small = fc.integer({ min: 0, max: 2 });
const values = { color: small, size: small, boxId: fc.option(fc.integer({ min: 0, max: 7 })) };
const at = fc.nat(20);
export const hiddenChange: fc.Arbitrary<HiddenChange> = fc.oneof(
  fc.record({
    kind: fc.constantFrom("secret" as const, "price" as const),
    at,
    value: fc.integer({ min: 10, max: 99 }),
  }),
  fc.record({ kind: fc.constant("row" as const), at, set: fc.record(values) }),
  fc.record({ kind: fc.constant("remove" as const), at }),
  fc.record({
    kind: fc.constant("add" as const),
    row: fc.record({ ...values, price: small, secret: small, code: fc.option(fc.integer({ min: 0, max: 9 })) }),
    note: fc.boolean(),
  }),
);

/** What a change does, where it really is hidden: the state as it then is, and the same in a world that runs. */
export interface Applied {
  readonly state: State;
  readonly perform: (world: World) => Promise<unknown>;
}

/** `undefined` where P would see it. */
export function applyHidden(rules: Rules, state: State, change: HiddenChange): Applied | undefined {
  const applied = propose(rules, state, change);
  return applied !== undefined && viewOf(rules, applied.state) === viewOf(rules, state) ? applied : undefined;
}

function propose(rules: Rules, state: State, change: HiddenChange): Applied | undefined {
  const { rows, notes } = state;
  if (change.kind === "add") {
    const id = Math.max(499, ...rows.map((one) => one.id)) + 1;
    const row: Row = {
      id,
      ...change.row,
      boxId: rows.some((one) => one.id === change.row.boxId) ? change.row.boxId : null,
      code: rows.some((one) => one.code === change.row.code) ? null : change.row.code,
    };
    const added: readonly Note[] = change.note ? [{ id, rowId: id, text: "n" }] : [];
    return {
      state: { rows: [...rows, row], notes: [...notes, ...added] },
      perform: async ({ system }) => {
        const { id: _, secret, ...input } = row;
        const made = await system.row.create(input);
        await system.row.actions.set(made.id, { id, secret });
      },
    };
  }
  const row = rows[change.at % Math.max(rows.length, 1)];
  if (row === undefined) return undefined;
  const setting = (set: Partial<Row>): Applied => ({
    state: { rows: rows.map((one) => (one === row ? { ...one, ...set } : one)), notes },
    perform: async ({ system }) => system.row.actions.set(row.id, set),
  });
  if (change.kind === "secret") return setting({ secret: change.value });
  const isSeen = seesRow(rules, state, row);
  if (change.kind === "price")
    return isSeen && seesPrice(rules, state, row) ? undefined : setting({ price: change.value });
  if (isSeen) return undefined;
  if (change.kind === "row") {
    const { boxId, ...set } = change.set;
    return setting({ ...set, boxId: rows.some(({ id }) => id === boxId) ? boxId : null });
  }
  if (rows.some(({ boxId }) => boxId === row.id) || notes.some(({ rowId }) => rowId === row.id)) return undefined;
  return {
    state: { rows: rows.filter((one) => one !== row), notes },
    perform: async ({ system }) => system.row.remove(row.id),
  };
}
