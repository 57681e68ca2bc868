import { type ExecutionArgs, type ExecutionResult, getOperationAST } from "graphql";
import { isServerError } from "../../errors/codes.ts";
import type { DocumentActivity, Telemetry } from "../../telemetry/telemetry.ts";
import type { MaybePromise } from "../../util/maybe-promise.ts";
import { contextOf } from "../context.ts";

type Execute<Result> = (args: ExecutionArgs) => MaybePromise<Result>;

/** `execute` or `subscribe`, with telemetry around it. */
export function observeExecution<Result>(telemetry: Telemetry | undefined, execute: Execute<Result>): Execute<Result> {
  if (telemetry === undefined) return execute;
  return (args) => {
    const { document, operationName, contextValue } = args;
    const operation = getOperationAST(document, operationName);
    if (!operation) return execute(args);
    const activity: DocumentActivity<Result> = {
      type: operation.operation,
      name: operation.name?.value,
      document,
      carrier: contextOf(contextValue).carrier,
      failureOf,
    };
    return telemetry.document(activity, () => execute(args));
  };
}

/** An error without a code is of graphql-js: about the request, or about a value that broke the schema. */
function failureOf(result: unknown): string | undefined {
  const { errors = [], data } = result as Partial<ExecutionResult>;
  const codes = errors.map(({ extensions: { code } }) => {
    if (typeof code === "string") return code;
    return data === undefined ? "BAD_REQUEST" : "INTERNAL";
  });
  return codes.find(isServerError) ?? codes[0];
}
