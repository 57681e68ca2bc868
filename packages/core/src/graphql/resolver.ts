import type { GraphQLResolveInfo } from "graphql";
import { isBifocalError } from "../errors/bifocal-error.ts";
import type { Operation } from "../operation/operation.ts";
import type { Outcome } from "../operation/outcome.ts";
import { contextOf } from "./context.ts";
import { toGraphQLError } from "./graphql-error.ts";

export type Arguments = Readonly<Record<string, unknown>>;
export type Resolver<Result> = (
  source: unknown,
  args: Arguments,
  contextValue: unknown,
  info: GraphQLResolveInfo,
) => Promise<Result>;

/** Lowers a root field to one operation, runs it, and reads the answer from its outcome. */
export function resolver<Result>(
  lower: (args: Arguments, info: GraphQLResolveInfo) => Operation,
  read: (outcome: Exclude<Outcome, { kind: "failure" }>, args: Arguments) => Result,
): Resolver<Result> {
  return async (_source, args, contextValue, info) => {
    const { run, caller } = contextOf(contextValue);
    let operation: Operation;
    try {
      operation = lower(args, info);
    } catch (thrown) {
      throw isBifocalError(thrown) ? toGraphQLError(thrown) : thrown;
    }
    const outcome = await run(operation, caller);
    if (outcome.kind === "failure") throw toGraphQLError(outcome.error);
    return read(outcome, args);
  };
}

/** The engine answers each kind of operation with its own kinds of outcome; another is a bug of ours. */
export function unexpected(outcome: Outcome): never {
  throw new Error(`The engine answered with '${outcome.kind}' where that cannot be.`);
}
