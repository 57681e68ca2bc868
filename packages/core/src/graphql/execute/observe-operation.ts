import type { GraphQLFormattedError } from "graphql";
import { isServerError } from "../../errors/codes.ts";
import type { DocumentActivity, Telemetry } from "../../telemetry/telemetry.ts";
import type { MaybePromise } from "../../util/maybe-promise.ts";
import type { CompiledOperation } from "../compile/compile-operation.ts";
import type { ExecutionContext } from "../context.ts";
import type { ExecuteOperation } from "./execute-operation.ts";

/** A result, or a failed start of a subscription, that may have errors. */
interface Failing {
  readonly errors?: readonly Pick<GraphQLFormattedError, "extensions">[] | undefined;
}

/** Wraps the execution of compiled operations in telemetry. */
export function observeOperation(telemetry: Telemetry, execute: ExecuteOperation): ExecuteOperation {
  return (compiled, inputs, context, format) =>
    observeDocument(telemetry, compiled, context, () => execute(compiled, inputs, context, format));
}

export function observeDocument<Result extends object>(
  telemetry: Telemetry | undefined,
  { operation, document }: CompiledOperation,
  { carrier }: ExecutionContext,
  work: () => MaybePromise<Result>,
): MaybePromise<Result> {
  if (telemetry === undefined) return work();
  const { operation: type, name } = operation;
  const activity: DocumentActivity<Result> = { type, name: name?.value, document, carrier, failureOf };
  return telemetry.document(activity, work);
}

/** Errors without a code come from graphql-js and are about the request. */
function failureOf(result: object): string | undefined {
  const { errors = [] }: Failing = "errors" in result ? (result as Failing) : {};
  const codes = errors.map(({ extensions }) => {
    const code = extensions?.["code"];
    return typeof code === "string" ? code : "BAD_REQUEST";
  });
  return codes.find(isServerError) ?? codes[0];
}
