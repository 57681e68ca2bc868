import * as graphql from "graphql";
import type { ExecutionArgs, ExecutionResult, GraphQLError } from "graphql";

type Arguments = Omit<ExecutionArgs, "contextValue" | "rootValue">;
export type OpenedSource = AsyncIterable<unknown> | ExecutionResult;

/** The two halves of a subscription in graphql-js: opening the source of events, and executing one event. */
export interface Subscription {
  readonly open: (contextValue: unknown) => Promise<OpenedSource>;
  readonly execute: (event: unknown, contextValue: unknown) => ExecutionResult | Promise<ExecutionResult>;
}

/** Functions that exist only in graphql 17, which validates arguments and coerces variables once. */
interface Graphql17 {
  readonly validateSubscriptionArgs: (args: ExecutionArgs) => readonly GraphQLError[] | ValidatedArguments;
  readonly createSourceEventStream: (args: ValidatedArguments) => OpenedSource | Promise<OpenedSource>;
  readonly executeSubscriptionEvent: (args: ValidatedArguments) => ExecutionResult | Promise<ExecutionResult>;
}

/** Opaque. Unlike a list of errors, it has a `schema`. */
type ValidatedArguments = { readonly schema: unknown };

const library = graphql as unknown as
  | Graphql17
  | { readonly createSourceEventStream: (args: ExecutionArgs) => Promise<OpenedSource> };

/** Splits a subscription, so that subscribers that see the same rows can share the result of an event. */
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
