import { isServerError } from "../../errors/codes.ts";
import type { Telemetry } from "../../telemetry/telemetry.ts";
import type { CompiledOperation } from "../compile/compile-operation.ts";
import type { ExecutionContext } from "../context.ts";
import type { ExecuteOperation } from "./execute-operation.ts";
import type { ResultText } from "./result.ts";

/** The execution of compiled operations, with telemetry around it. */
export function observeOperation(telemetry: Telemetry | undefined, execute: ExecuteOperation): ExecuteOperation {
  if (telemetry === undefined) return execute;
  return (compiled, inputs, context) =>
    telemetry.document(activityOf(compiled, context), () => execute(compiled, inputs, context));
}

function activityOf({ operation, document }: CompiledOperation, { carrier }: ExecutionContext) {
  return { type: operation.operation, name: operation.name?.value, document, carrier, failureOf };
}

function failureOf({ errors = [] }: ResultText): string | undefined {
  const codes = errors.map(({ extensions }) => String(extensions?.["code"]));
  return codes.find(isServerError) ?? codes[0];
}
