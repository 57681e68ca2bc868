import type { z } from "zod";
import type { ZodSchema } from "./zod-schema.ts";
import type { CodeContext } from "./code-context.ts";
import type { Deprecation } from "./deprecation.ts";
import type { RowRule } from "./rule.ts";

/** The argument of an action's `run`. */
export interface ActionContext<Row, Id, Input, Item, Types = unknown> extends CodeContext<Row, Id, Types> {
  /** The row that the action is called on, read with the caller's rules. */
  readonly item: Item;
  readonly input: Input;
}

/**
 * An operation beyond create, replace, update and delete, such as `POST /books/{id}/publish` and the mutation
 * `publishBook`.
 */
export interface Action<
  Row,
  Id,
  On extends "item" | "collection",
  Input,
  Output,
  RelationName extends string,
  Types = unknown,
> {
  /** `item`: called on one row that the caller can read. `collection`: called on the resource. */
  readonly on: [On] extends [never] ? "item" | "collection" : On;
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
      Input extends ZodSchema ? z.output<Input> : undefined,
      On extends "item" ? Row : undefined,
      Types
    >,
  ) => ActionResult<Output> | Promise<ActionResult<Output>>;
}

// Without an output schema, the return value of `run` isn't sent, so it can be anything.
type ActionResult<Output> = Output extends ZodSchema ? z.output<Output> : unknown;
