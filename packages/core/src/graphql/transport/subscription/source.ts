import * as graphql from "graphql";
import type { ExecutionArgs, ExecutionResult, GraphQLError } from "graphql";

type Arguments = Omit<ExecutionArgs, "contextValue" | "rootValue">;
export type OpenedSource = AsyncIterable<unknown> | ExecutionResult;

/** A subscription of graphql-js in its two halves: the source of its events, and the result of one. */
export interface Subscription {
  readonly open: (contextValue: unknown) => Promise<OpenedSource>;
  readonly execute: (event: unknown, contextValue: unknown) => ExecutionResult | Promise<ExecutionResult>;
}

/** What only graphql 17 has: arguments are checked once, and variables coerced. */
interface Graphql17 {
  readonly validateSubscriptionArgs: (args: ExecutionArgs) => readonly GraphQLError[] | ValidatedArguments;
  readonly createSourceEventStream: (args: ValidatedArguments) => OpenedSource | Promise<OpenedSource>;
  readonly executeSubscriptionEvent: (args: ValidatedArguments) => ExecutionResult | Promise<ExecutionResult>;
}

/** What they are is graphql's own business; an error has no `schema`. */
type ValidatedArguments = { readonly schema: unknown };

const library = graphql as unknown as
  | Graphql17
  | { readonly createSourceEventStream: (args: ExecutionArgs) => Promise<OpenedSource> };

/** Splits a subscription, so that subscribers who see the same can share the result of an event. */
export function splitSubscription(args: Arguments): Subscription | { readonly errors: readonly GraphQLError[] } {
  if (!("validateSubscriptionArgs" in library)) {
    const { createSourceEventStream } = library;
    return {
      open: (contextValue) => createSourceEventStream({ ...args, contextValue }),
      execute: (rootValue, contextValue) => graphql.execute({ ...args, rootValue, contextValue }),
    };
  }
  const { validateSubscriptionArgs, createSourceEventStream, executeSubscriptionEvent } = library;
  const validated = validateSubscriptionArgs(args);
  if (!("schema" in validated)) return { errors: validated };
  return {
    open: async (contextValue) => createSourceEventStream({ ...validated, contextValue } as ValidatedArguments),
    execute: (rootValue, contextValue) =>
      executeSubscriptionEvent({ ...validated, rootValue, contextValue } as ValidatedArguments),
  };
}
