import type { BifocalError } from "../errors/bifocal-error.ts";
import type { Operation } from "../operation/operation.ts";
import type { Outcome } from "../operation/outcome.ts";
import type { Caller, Run } from "../operation/run.ts";
import type { DeferredReads } from "./incremental/deferred-reads.ts";

/** How many values of a result the caller may not read, and of how many there is to be an error. */
export interface Denials {
  count: number;
  readonly most: number;
}

/** What the resolvers find in the context of an execution. */
export interface ExecutionContext {
  readonly run: Run;
  readonly caller: Caller;
  /** What the operations of the request cost until now, where results are to say so. */
  readonly cost?: () => number;
  /** Why operations of one request may not run, where they cost too much together with those that ran before, and `more`. */
  readonly refuseTotal?: (operations: readonly Operation[], more?: number) => BifocalError | undefined;
  /** By response key: what root fields were answered already. */
  readonly outcomes?: ReadonlyMap<string | number, Outcome>;
  /** Of all that graphql-js answers in one request of ours. */
  readonly denials?: Denials;
  /** Where the answer is delivered in parts: reads what was left out at first. */
  readonly late?: DeferredReads;
  /** What may say of which trace an operation is that did not come with an HTTP request of its own. */
  readonly carrier?: Readonly<Record<string, unknown>>;
}

/** The key under which any GraphQL server puts it into `contextValue`. */
export const CONTEXT_KEY = "~bifocal";

/** None in an execution that is not ours. */
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

/** Undefined where a result is made from an event alone, which is for all. */
export function findContext(contextValue: unknown): ExecutionContext | undefined {
  const isObject = typeof contextValue === "object" && contextValue !== null;
  return isObject && CONTEXT_KEY in contextValue ? (contextValue[CONTEXT_KEY] as ExecutionContext) : undefined;
}
