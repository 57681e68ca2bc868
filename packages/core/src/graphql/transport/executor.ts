import type { Observer } from "../../operation/observer.ts";
import type { GraphQLFormattedError, GraphQLSchema } from "graphql";
import type { Telemetry } from "../../telemetry/telemetry.ts";
import type { ExecutionContext } from "../context.ts";
import { toGraphQLError } from "../graphql-error.ts";
import type { ExecuteOperation } from "../execute/execute-operation.ts";
import type { ResultText } from "../execute/result.ts";
import { formatError } from "../execute/format-error.ts";
import { observeDocument } from "../execute/observe-operation.ts";
import type { PreparedOperation, Unprepared } from "./prepare.ts";
import type { Answering } from "./serialize-result.ts";
import { createSharedTexts } from "./subscription/shared-texts.ts";
import { TextStream, toEventSource } from "./subscription/text-stream.ts";

/** Executes prepared operations for the transports that keep a connection open. Results are JSON text. */
export interface Executor {
  /** Executes a query or mutation. */
  readonly execute: (prepared: PreparedOperation, context: ExecutionContext) => Promise<string>;
  /** Like `execute`, but the result may be incremental. */
  readonly executeInParts: (prepared: PreparedOperation, context: ExecutionContext) => Promise<ResultText>;
  /** Opens a subscription. Returns the errors if that fails. */
  readonly subscribe: (
    prepared: PreparedOperation,
    context: ExecutionContext,
    listener: Observer<string>,
  ) => Promise<TextStream | Unprepared>;
  /** Formats the errors of an operation that could not be prepared. */
  readonly format: (refused: Unprepared) => readonly GraphQLFormattedError[];
}

export interface ExecutorOptions {
  readonly execute: ExecuteOperation;
  readonly schema: GraphQLSchema;
  readonly telemetry: Telemetry | undefined;
  readonly answering: Answering;
}

export function createExecutor({ execute, schema, telemetry, answering }: ExecutorOptions): Executor {
  const share = createSharedTexts(schema, answering);
  return {
    async execute({ compiled, variables }, context) {
      return (await execute(compiled, variables ?? undefined, context)).text;
    },
    async executeInParts({ compiled, variables }, context) {
      return execute(compiled, variables ?? undefined, context, "v0.2");
    },
    async subscribe(prepared, context, listener) {
      const shared = share(prepared);
      if ("errors" in shared) return shared;
      try {
        const opened = await observeDocument(telemetry, prepared.compiled, context, () => shared.open(context));
        if (Symbol.asyncIterator in opened) {
          const source = toEventSource(opened, (thrown) => answering.mask(thrown, context.caller));
          return new TextStream(source, shared.formatFor(context), shared.release, listener);
        }
        shared.release();
        return { errors: opened.errors ?? [] };
      } catch (thrown) {
        // An error of the host's source ends only this operation.
        shared.release();
        return { errors: [toGraphQLError(answering.mask(thrown, context.caller))] };
      }
    },
    format: ({ errors }) => errors.map((error) => formatError(error, "BAD_REQUEST", answering)),
  };
}
