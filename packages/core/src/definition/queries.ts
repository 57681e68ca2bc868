import type { z } from "zod";
import type { ZodSchema } from "./zod-schema.ts";
import type { Deprecation } from "./deprecation.ts";
import type { ReadContext } from "./read-context.ts";
import type { RowFilter, RowRule } from "./rule.ts";
import type { TypeMistake } from "./type-error.ts";

/** The argument of a query's `run`. */
export interface QueryContext<Row, Id, Input, Item, Types = unknown> extends ReadContext<Row, Id, Types> {
  /** The row that the query is called on, read with the caller's rules. */
  readonly item: Item;
  readonly input: Input;
}

/** The rows that a query finds. */
export interface QueriedRows<Filter, Sort> {
  /** Applies in addition to the caller's filter. It can use every field. Default: all rows. */
  readonly filter?: Filter | undefined;
  /** The order, unless the caller sets one. Callers need to be allowed to read these fields. */
  readonly sort?: readonly Sort[] | undefined;
}

/**
 * A named read, such as `GET /books/trending?year=2026` and the GraphQL field `trendingBooks(year: 2026)`. Without an
 * `output`, it returns rows of the resource.
 */
export interface Query<
  Row,
  Id,
  On extends "item" | "collection",
  Input,
  Output,
  RelationName extends string,
  SortName extends string,
  Types = unknown,
> {
  /** `item`: called on one row that the caller can read. `collection`: called on the resource. */
  readonly on: [On] extends [never] ? "item" | "collection" : On;
  /** A `z.object(…)` with the parameters of the query. */
  readonly input?: Input;
  /** Schema of the result. Without it, the query returns rows of the resource. */
  readonly output?: Output;
  /** Which callers may use the query. A returned filter applies to the rows, or to the row that the query is called on. */
  readonly access: RowRule<Row, RelationName>;
  readonly description?: string;
  readonly deprecated?: boolean | string | Deprecation;
  readonly run: (
    context: QueryContext<
      Row,
      Id,
      Input extends ZodSchema ? z.output<Input> : undefined,
      On extends "item" ? Row : undefined,
      Types
    >,
  ) =>
    | QueryResult<Row, Output, RelationName, SortName>
    | Promise<QueryResult<Row, Output, RelationName, SortName>>
    | (FoundRows<Row, RelationName, SortName> & LiteralTypes);
}

/** Nothing has this type. It keeps the literal types of the returned rows, which TypeScript widens otherwise. */
interface LiteralTypes {
  readonly "~never": never;
}

type FoundRows<Row, RelationName extends string, SortName extends string> = QueriedRows<
  RowFilter<Row, RelationName>,
  SortName | `-${SortName}`
>;

type QueryResult<Row, Output, RelationName extends string, SortName extends string> = Output extends ZodSchema
  ? z.output<Output>
  : FoundRows<Row, RelationName, SortName>;

/** The parameters that lists have in REST, GraphQL or local calls, so that no input of a query can use their names. */
export const RESERVED_PARAMETERS = [
  "id",
  "filter",
  "q",
  "search",
  "sort",
  "page",
  "first",
  "last",
  "after",
  "before",
  "offset",
  "count",
  "fields",
  "include",
  "rel",
  "deleted",
  "initial",
  "aggregate",
  "group",
  "having",
] as const;

type Reserved = (typeof RESERVED_PARAMETERS)[number];

/** The message for a query whose input can't be parameters; otherwise unknown. */
export type CheckQueries<Inputs> = {
  readonly [K in keyof Inputs]?: Inputs[K] extends ZodSchema
    ? Inputs[K] extends { readonly shape: infer Shape }
      ? [keyof Shape & Reserved] extends [never]
        ? unknown
        : {
            readonly input?: TypeMistake<`'${keyof Shape & Reserved}' is a parameter of lists. Rename it in the input of '${K & string}'.`>;
          }
      : { readonly input?: TypeMistake<`The input of '${K & string}' must be z.object(…): it names the parameters.`> }
    : unknown;
};
