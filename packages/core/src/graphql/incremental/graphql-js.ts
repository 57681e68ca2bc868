import * as graphql from "graphql";
import type { ExecutionArgs, ExecutionResult, GraphQLDirective, GraphQLError } from "graphql";
import type { MaybePromise } from "../../util/maybe-promise.ts";

/** One payload. The first one has `data`; later ones have `incremental` and `completed`. */
export interface Payload {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLError[];
  readonly incremental?: readonly { readonly errors?: readonly GraphQLError[] }[];
  readonly completed?: readonly { readonly errors?: readonly GraphQLError[] }[];
  readonly hasNext: boolean;
}

export interface Payloads {
  readonly initialResult: Payload;
  readonly subsequentResults: AsyncGenerator<Payload, void>;
}

type Execute = (args: ExecutionArgs) => MaybePromise<ExecutionResult | Payloads>;

/** The functions and directives of graphql-js for incremental delivery. */
export interface IncrementalLibrary {
  readonly directives: readonly GraphQLDirective[];
  /** By the format of the payloads (see `PartFormat`). */
  readonly execute: Readonly<Record<PartFormat, Execute>>;
}

/**
 * The format in which parts refer to their place in the result. `v0.2`, the format of graphql-js 17, announces ids
 * (`pending`, `incremental`, `completed`). `20220824` is the older format, in which each part has a path.
 */
export type PartFormat = "v0.2" | "20220824";

/** Undefined in graphql 16. */
export const INCREMENTAL: IncrementalLibrary | undefined = find(graphql);

function find(library: Partial<typeof graphql>): IncrementalLibrary | undefined {
  const { experimentalExecuteIncrementally, legacyExecuteIncrementally } = library;
  const { GraphQLDeferDirective, GraphQLStreamDirective } = library;
  if (experimentalExecuteIncrementally === undefined || legacyExecuteIncrementally === undefined) return undefined;
  if (GraphQLDeferDirective === undefined || GraphQLStreamDirective === undefined) return undefined;
  return {
    directives: [GraphQLDeferDirective, GraphQLStreamDirective],
    execute: { "v0.2": experimentalExecuteIncrementally, "20220824": legacyExecuteIncrementally },
  };
}
