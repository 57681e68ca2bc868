import type { CodeContext } from "./code-context.ts";

/** The argument of every hook. */
export interface HookContext<Row, Id, Types = unknown> extends CodeContext<Row, Id, Types> {
  /**
   * The operation, with its kind, key and filter, as REST, GraphQL and local calls all lower it. It contains nothing
   * about the protocol.
   */
  readonly operation: Readonly<Record<string, unknown>> & { readonly kind: string; readonly resource: string };
}

/** The engine awaits the result and ignores its value. */
type Done = unknown;
/** The fields to write instead of `input`. Return nothing to keep `input`. */
type Changed<Row> = void | Partial<Row> | Promise<void | Partial<Row>>;

/**
 * Code that runs around the operations on a resource, whether they come from REST, GraphQL or local calls. An error
 * thrown by a hook aborts the operation and rolls it back; a `BifocalError` reaches the caller unchanged.
 *
 * Access rules run first, and again for what a `before` hook returns. Hooks run for the resource of the operation. They
 * don't run for rows embedded in a response, for rows deleted by a cascade, or for writes through `store` and `stores`.
 * Operations on many rows run them for each row.
 */
export interface Hooks<Row, Id, Types = unknown> {
  readonly get?: {
    readonly before?: (context: HookContext<Row, Id, Types>) => Done;
    readonly after?: (context: HookContext<Row, Id, Types> & { readonly item: Row }) => Done;
  };
  readonly list?: {
    readonly before?: (context: HookContext<Row, Id, Types>) => Done;
    readonly after?: (context: HookContext<Row, Id, Types> & { readonly items: readonly Row[] }) => Done;
  };
  readonly create?: {
    /**
     * `input` contains the validated fields of the request. A returned object is stored instead, including generated
     * and internal fields.
     */
    readonly before?: (context: HookContext<Row, Id, Types> & { readonly input: Partial<Row> }) => Changed<Row>;
    readonly after?: (context: HookContext<Row, Id, Types> & { readonly item: Row }) => Done;
  };
  /** Runs for `update` and `replace`; see `operation.kind`. */
  readonly update?: {
    readonly before?: (
      context: HookContext<Row, Id, Types> & { readonly item: Row; readonly input: Partial<Row> },
    ) => Changed<Row>;
    readonly after?: (context: HookContext<Row, Id, Types> & { readonly previous: Row; readonly item: Row }) => Done;
  };
  readonly delete?: {
    readonly before?: (context: HookContext<Row, Id, Types> & { readonly item: Row }) => Done;
    readonly after?: (context: HookContext<Row, Id, Types> & { readonly item: Row }) => Done;
  };
  /** Runs for `link` and `unlink`; see `operation.relation` and `operation.target`. */
  readonly link?: {
    readonly before?: (context: HookContext<Row, Id, Types> & { readonly item: Row }) => Done;
    readonly after?: (context: HookContext<Row, Id, Types> & { readonly item: Row }) => Done;
  };
  /** Runs for all actions; see `operation.action`. */
  readonly act?: {
    readonly before?: (
      context: HookContext<Row, Id, Types> & { readonly item: Row | undefined; readonly input: unknown },
    ) => Done;
    readonly after?: (
      context: HookContext<Row, Id, Types> & { readonly item: Row | undefined; readonly result: unknown },
    ) => Done;
  };
  readonly watch?: { readonly before?: (context: HookContext<Row, Id, Types>) => Done };
}
