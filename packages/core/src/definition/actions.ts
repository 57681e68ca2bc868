import type { z } from "zod";
import type { FilterOf } from "./filters.ts";
import type { Deprecation } from "./resource.ts";
import type { Principal } from "./principal.ts";
import type { RowRule } from "./rules.ts";

/** The rows of one resource, for trusted code: no access rule applies, every change is validated by the store and emits its event. */
export interface RowStore<Row, Id> {
  get(id: Id): Promise<Row | null>;
  list(query?: { filter?: FilterOf<Row>; sort?: readonly string[]; limit?: number }): Promise<Row[]>;
  create(data: Partial<Row>): Promise<Row>;
  update(id: Id, changes: Partial<Row>): Promise<Row>;
  remove(id: Id): Promise<void>;
}

/** What an action gets. Its reads and writes through `store` and `stores` are one transaction where the store has them. */
export interface ActionContext<Row, Id, Input, Item> {
  /** The row that the action is called on; read through the caller's own rules. */
  readonly item: Item;
  readonly input: Input;
  readonly principal: Principal | null;
  readonly store: RowStore<Row, Id>;
  /** The other resources by name; untyped, because a definition does not know its neighbours. */
  readonly stores: (resource: string) => RowStore<Record<string, unknown>, unknown>;
  readonly signal: AbortSignal;
}

/** Something beyond create, replace, update and delete: `POST /books/{id}/publish` and the mutation `publishBook`. */
export interface Action<Row, Id, On extends "item" | "collection", Input, Output, RelationName extends string> {
  /** `item`: called on one row, which the caller must see. `collection`: called on the resource. */
  readonly on: On;
  /** The body. Without it the action takes none. */
  readonly input?: Input;
  /** What it answers. Without it: an item action answers the row as it then is, a collection action nothing. */
  readonly output?: Output;
  readonly access: RowRule<Row, RelationName>;
  readonly description?: string;
  readonly deprecated?: boolean | string | Deprecation;
  readonly run: (
    context: ActionContext<
      Row,
      Id,
      Input extends z.ZodType ? z.output<Input> : undefined,
      On extends "item" ? Row : undefined
    >,
  ) => ActionResult<Output> | Promise<ActionResult<Output>>;
}

// Without an output schema, what `run` returns is not sent, so it may return anything.
type ActionResult<Output> = Output extends z.ZodType ? z.output<Output> : unknown;
