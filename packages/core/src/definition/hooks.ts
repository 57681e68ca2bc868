import type { RowStore } from "./actions.ts";
import type { Principal } from "./principal.ts";

/** What every hook gets. Its reads and writes through `store` and `stores` are part of the operation's transaction, where the store has them. */
export interface HookContext<Row, Id> {
  /** What is done, as both styles and local calls lower it: its kind, its key, its filter. Never how it was asked for. */
  readonly operation: Readonly<Record<string, unknown>> & { readonly kind: string; readonly resource: string };
  readonly principal: Principal | null;
  readonly store: RowStore<Row, Id>;
  /** The other resources by name; untyped, because a definition does not know its neighbours. */
  readonly stores: (resource: string) => RowStore<Record<string, unknown>, unknown>;
  readonly signal: AbortSignal;
}

/** Awaited; what it gives is not looked at. */
type Done = unknown;
/** What is to be written instead of `input`; nothing: `input` as it is. */
type Changed<Row> = void | Partial<Row> | Promise<void | Partial<Row>>;

/**
 * Code around the operations on a resource, whoever calls: REST, GraphQL or in process. What a hook throws ends the
 * operation, and nothing of it is kept; a `BifocalError` reaches the caller as it is.
 *
 * Rules were asked before. Hooks run for the resource that an operation is about: not for rows embedded in an answer, for
 * rows that go with a deleted one, nor for what actions and hooks write themselves. Operations on many rows run them for
 * each row.
 */
export interface Hooks<Row, Id> {
  readonly get?: {
    readonly before?: (context: HookContext<Row, Id>) => Done;
    readonly after?: (context: HookContext<Row, Id> & { readonly item: Row }) => Done;
  };
  readonly list?: {
    readonly before?: (context: HookContext<Row, Id>) => Done;
    readonly after?: (context: HookContext<Row, Id> & { readonly items: readonly Row[] }) => Done;
  };
  readonly create?: {
    /** `input`: the fields that were given, validated. What it returns is stored instead, generated and internal fields included. */
    readonly before?: (context: HookContext<Row, Id> & { readonly input: Partial<Row> }) => Changed<Row>;
    readonly after?: (context: HookContext<Row, Id> & { readonly item: Row }) => Done;
  };
  /** `update` and `replace`; `operation.kind` tells which. */
  readonly update?: {
    readonly before?: (
      context: HookContext<Row, Id> & { readonly item: Row; readonly input: Partial<Row> },
    ) => Changed<Row>;
    readonly after?: (context: HookContext<Row, Id> & { readonly previous: Row; readonly item: Row }) => Done;
  };
  readonly delete?: {
    readonly before?: (context: HookContext<Row, Id> & { readonly item: Row }) => Done;
    readonly after?: (context: HookContext<Row, Id> & { readonly item: Row }) => Done;
  };
  /** `link` and `unlink`; `operation.relation` and `operation.target` tell what. */
  readonly link?: {
    readonly before?: (context: HookContext<Row, Id> & { readonly item: Row }) => Done;
    readonly after?: (context: HookContext<Row, Id> & { readonly item: Row }) => Done;
  };
  /** Any action; `operation.action` tells which. */
  readonly act?: {
    readonly before?: (
      context: HookContext<Row, Id> & { readonly item: Row | undefined; readonly input: unknown },
    ) => Done;
    readonly after?: (
      context: HookContext<Row, Id> & { readonly item: Row | undefined; readonly result: unknown },
    ) => Done;
  };
  readonly watch?: { readonly before?: (context: HookContext<Row, Id>) => Done };
}
