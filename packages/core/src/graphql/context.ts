import type { BifocalError } from "../errors/bifocal-error.ts";
import type { Operation } from "../operation/operation.ts";
import type { Outcome } from "../operation/outcome.ts";
import type { Caller, Run } from "../operation/run.ts";
import type { DeferredReads } from "./incremental/deferred-reads.ts";

/**
 * Counts the values of a result that the caller is not allowed to read. Only the first `most` of them produce an error.
 */
export interface Denials {
  count: number;
  readonly most: number;
}

/** The part of an execution's context that the resolvers use. */
export interface ExecutionContext {
  readonly run: Run;
  readonly caller: Caller;
  /** Returns the cost of the request's operations so far. Present if results show it. */
  readonly cost?: () => number;
  /** The `Idempotency-Key` of the request, which belongs to its only mutation field. */
  readonly idempotencyKey?: string;
  /** Whether the client requested the version of the row. */
  readonly wantsVersion?: boolean;
  /** Returns the version of the row, if the request's operations returned exactly one. */
  readonly version?: () => string | undefined;
  /** Returns the idempotency keys whose writes had been done before, if there are any. */
  readonly replayed?: () => readonly string[] | undefined;
  /** Returns an error if `operations`, with those that ran before and `more`, exceed the cost limit. */
  readonly refuseTotal?: (operations: readonly Operation[], more?: number) => BifocalError | undefined;
  /** Outcomes of root fields that ran already, by response key. */
  readonly outcomes?: ReadonlyMap<string | number, Outcome>;
  /** Shared by everything that graphql-js executes for one request. */
  readonly denials?: Denials;
  /** For incremental responses: reads the parts that the first result left out. */
  readonly late?: DeferredReads;
  /** The carrier of trace context (for example `traceparent`) for an operation without an HTTP request of its own. */
  readonly carrier?: Readonly<Record<string, unknown>>;
}

/** The key in `contextValue` under which any GraphQL server passes the context. */
export const CONTEXT_KEY = "~bifocal";

/** Returns undefined in an execution by another server. */
export function denialsOf(contextValue: unknown): Denials | undefined {
  return findContext(contextValue)?.denials;
}

export function contextOf(contextValue: unknown): ExecutionContext {
  const found = findContext(contextValue);
  if (found !== undefined) return found;
  throw new Error(
    "The GraphQL context lacks the value of `api.graphql.context(principal)`. Spread it into your context.",
  );
}

/** Returns undefined when a result is made from an event alone, for all subscribers. */
export function findContext(contextValue: unknown): ExecutionContext | undefined {
  const isObject = typeof contextValue === "object" && contextValue !== null;
  return isObject && CONTEXT_KEY in contextValue ? (contextValue[CONTEXT_KEY] as ExecutionContext) : undefined;
}
