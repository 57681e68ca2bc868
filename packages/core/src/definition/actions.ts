import type { z } from "zod";
import type { Deprecation } from "./deprecation.ts";
import type { FilterOf } from "./filters.ts";
import type { Principal } from "./principal.ts";
import type { RowRule } from "./rule.ts";

/**
 * The rows of one resource, for trusted code. No access rule applies. The store validates every change, and each change
 * emits its event.
 */
export interface RowStore<Row, Id> {
  get(id: Id): Promise<Row | null>;
  list(query?: { filter?: FilterOf<Row>; sort?: readonly string[]; limit?: number }): Promise<Row[]>;
  create(data: Partial<Row>): Promise<Row>;
  update(id: Id, changes: Partial<Row>): Promise<Row>;
  delete(id: Id): Promise<void>;
}

/**
 * The argument of an action's `run`. Its reads and writes through `store` and `stores` form one transaction if the
 * store supports transactions.
 */
export interface ActionContext<Row, Id, Input, Item> {
  /** The row that the action is called on, read with the caller's rules. */
  readonly item: Item;
  readonly input: Input;
  readonly principal: Principal | null;
  readonly store: RowStore<Row, Id>;
  /** Returns another resource by name. Untyped, because a definition doesn't know the other resources. */
  readonly stores: (resource: string) => RowStore<Record<string, unknown>, unknown>;
  readonly signal: AbortSignal;
}

/**
 * An operation beyond create, replace, update and delete, such as `POST /books/{id}/publish` and the mutation
 * `publishBook`.
 */
export interface Action<Row, Id, On extends "item" | "collection", Input, Output, RelationName extends string> {
  /** `item`: called on one row that the caller can read. `collection`: called on the resource. */
  readonly on: On;
  /** Schema of the request body. Without it, the action accepts no body. */
  readonly input?: Input;
  /**
   * Schema of the result. Without it, an item action returns the row after the action, and a collection action returns
   * nothing.
   */
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

// Without an output schema, the return value of `run` isn't sent, so it can be anything.
type ActionResult<Output> = Output extends z.ZodType ? z.output<Output> : unknown;
