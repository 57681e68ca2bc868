import type { GraphQLSchema } from "graphql";
import type { Caller } from "./callers.ts";
import { OWNERS } from "./callers.ts";
import type { Picks } from "./picks.ts";
import type { SchemaPlan } from "./schema-plan.ts";
import { type Row, type State, valueAt } from "./state.ts";
import type { View } from "./view.ts";
import { REFUSED_BY_HOOK } from "./world.ts";

interface Given {
  readonly plan: SchemaPlan;
  readonly schema: GraphQLSchema;
  readonly caller: Caller;
  /** Another principal, or the same one with another credential. */
  readonly another: Caller;
  readonly view: View;
  readonly state: State;
  readonly picks: Picks;
  /** Text that no other request has. */
  readonly unique: string;
}

type RowRule = Parameters<View["may"]>[0];

export type Situation = ReturnType<typeof createSituation>;

/** How often, out of ten, a request is about a row that the caller can probably access. */
const ALLOWED = 8;

/** Chooses existing rows, free keys and valid input, so that requests can succeed. */
export function createSituation({ plan, schema, caller, another, view, state, picks, unique }: Given) {
  const rows = state.rows.filter((row) => view.seesRow(state, row));
  const notes = state.notes.filter((note) => view.seesNote(state, note));
  const tags = state.tags.filter((tag) => view.seesTag(state, tag));

  /** The key of a row: mostly a visible row, otherwise a hidden or missing one. */
  function anyId(): number {
    const seen = picks.chance(9) ? picks.of(rows) : undefined;
    return seen?.id ?? picks.one(picks.number(8), 498 + picks.number(12));
  }

  const boxId = (): number | null => (picks.chance(6) ? (picks.of(rows)?.id ?? null) : null);

  function freeCode(): number {
    const taken = new Set(state.rows.map(({ code }) => code));
    let code = picks.number(10);
    while (picks.chance(9) && taken.has(code)) code += 10;
    return code;
  }

  function freeId(): number {
    const taken = new Set([...state.rows, ...state.deleted].map(({ id }) => id));
    let id = 100 + picks.number(50);
    while (taken.has(id)) id++;
    return id;
  }

  const drawn = (mode: "create" | "replace" | "update"): Record<string, unknown> =>
    Object.fromEntries(
      plan.fields
        .filter(({ isImmutable }) => mode === "create" || !isImmutable)
        .filter(() => mode !== "update" || picks.chance(5))
        .map((field) => [field.name, valueAt(field, picks.number(4))]),
    );

  /** Values for fields in rules, chosen so that a rule probably permits the row. */
  function basics(
    rule: "create" | "update",
    before: Partial<Row> = {},
  ): Pick<Row, "color" | "size" | "ownerId" | "boxId"> {
    const some = () => ({
      color: picks.number(3),
      size: picks.number(3),
      ownerId: caller.principal?.id ?? picks.of(OWNERS) ?? "",
      boxId: boxId(),
    });
    let basic = some();
    const isRefused = (): boolean =>
      (plan.hasHooks && basic.color === REFUSED_BY_HOOK.color && basic.size === REFUSED_BY_HOOK.size) ||
      !view.may(rule, state, { id: before.id ?? -1, ...basic }) ||
      !view.may("read", state, { id: before.id ?? -1, ...basic });
    for (let tries = 0; tries < 8 && isRefused(); tries++) basic = some();
    return basic;
  }

  /** A whole input. */
  function input(mode: "create" | "replace", before: Partial<Row> = {}): Record<string, unknown> {
    return {
      ...(mode === "create" && plan.hasClientKeys ? { id: freeId() } : {}),
      ...basics(mode === "create" ? "create" : "update", before),
      ...(mode === "replace" || picks.chance(5) ? { price: picks.number(3) } : {}),
      ...(picks.chance(5) || mode === "replace" ? { code: before.code ?? freeCode() } : {}),
      ...drawn(mode),
    };
  }

  /** Some changes of a row. */
  function changes(before: Partial<Row>): Record<string, unknown> {
    const { color, size, boxId: box } = basics("update", before);
    const all = {
      color,
      size,
      ...(picks.chance(2) ? { boxId: box } : {}),
      ...(picks.chance(3) ? { price: picks.number(3) } : {}),
      ...(picks.chance(2) ? { code: freeCode() } : {}),
    };
    return picks.chance(5) ? all : { ...all, ...drawn("update") };
  }

  /** A row that the caller can probably write. */
  function allowed(rule: RowRule): Row | undefined {
    const may = rows.filter((row) => view.may(rule, state, row));
    return (picks.chance(ALLOWED) ? picks.of(may) : undefined) ?? picks.of(rows);
  }

  /** A row that no other row seems to reference. */
  function free(): Row | undefined {
    const others = rows.filter(
      ({ id }) => !rows.some((row) => row.boxId === id) && !notes.some(({ rowId }) => rowId === id),
    );
    return picks.of(others.filter((row) => view.may("remove", state, row))) ?? allowed("remove");
  }

  /** The key of a deleted row: mostly one that the caller can restore. */
  function deletedId(): number {
    const deleted = picks.chance(6) ? picks.of(state.deleted.filter((row) => view.mayRestore(state, row))) : undefined;
    return (deleted ?? picks.of(state.deleted))?.id ?? anyId();
  }

  /** The name of the type that a mutation takes as its input. */
  function inputType(mutation: string, argument = "input"): string {
    const args = schema.getMutationType()?.getFields()[mutation]?.args ?? [];
    const type = args.find(({ name }) => name === argument)?.type;
    if (type === undefined) throw new Error(`The mutation ${mutation} has no argument ${argument}.`);
    return String(type);
  }

  const globalId = (type: "Row" | "Tag" | "Note", id: unknown): unknown => {
    if (typeof id !== "number") return id;
    return plan.globalIds ? Buffer.from(`${type}:${id}`).toString("base64url") : String(id);
  };

  /** The value of a reference to a row in GraphQL. A part of a unique group isn't an id. */
  const referenceTo = (id: unknown): unknown => (plan.referencesGroup ? id : globalId("Row", id));

  /** A REST input in GraphQL syntax, where keys are other text. */
  function toGraphql(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const words: Record<string, unknown> = { ...value };
    if ("id" in value) words["id"] = globalId("Row", value["id"]);
    if ("boxId" in value) words["boxId"] = referenceTo(value["boxId"]);
    return words;
  }

  return {
    plan,
    caller,
    another,
    view,
    state,
    picks,
    unique,
    rows,
    notes,
    tags,
    anyId,
    freeId,
    input,
    changes,
    allowed,
    free,
    deletedId,
    inputType,
    globalId,
    referenceTo,
    toGraphql,
  };
}
