import type { Operation, OperationActivity, Outcome, Principal, Telemetry } from "@bifocal/core/telemetry";
import { type Attributes, context, diag, type Tracer } from "@opentelemetry/api";
import { noteCode } from "./faults.ts";
import { inSpan } from "./in-span.ts";
import type { Instruments } from "./instruments.ts";

export interface OperationOptions {
  readonly tracer: Tracer;
  readonly instruments: () => Instruments;
  readonly principal: ((principal: Principal | null) => Attributes) | undefined;
}

/** Creates a span for each operation. Its attributes contain names of the model and no values. */
export function watchOperations({ tracer, instruments, principal }: OperationOptions): Telemetry["operation"] {
  return (activity, work) => {
    const { operation } = activity;
    const began = performance.now();
    const active = context.active();
    const kind = { "bifocal.operation.kind": operation.kind, "bifocal.resource": operation.resource };
    const attributes = { ...kind, ...operationAttributes(activity), ...principalAttributes(activity) };
    const span = tracer.startSpan(`${operation.kind} ${operation.resource}`, { attributes }, active);
    return inSpan(span, active, work, (outcome) => {
      const error = outcome.kind === "failure" ? { "error.type": outcome.error.code } : {};
      instruments().operationDuration.record((performance.now() - began) / 1000, { ...kind, ...error });
      if (outcome.kind === "failure") noteCode(span, outcome.error.code);
      const rows = countRows(outcome);
      if (rows !== undefined) span.setAttribute("bifocal.operation.rows", rows);
    });
  };

  /** Calls the application's function. An error in it must not fail the operation. */
  function principalAttributes({ caller }: OperationActivity): Attributes {
    try {
      return principal?.(caller.principal) ?? {};
    } catch (thrown) {
      diag.error("openTelemetry({ principal }) threw an error. The span has no attributes of the principal.", thrown);
      return {};
    }
  }
}

function operationAttributes({ operation, timeout }: OperationActivity): Attributes {
  return { "bifocal.operation.timeout": timeout, ...partAttributes(operation) };
}

function partAttributes(operation: Operation): Attributes {
  if (operation.kind === "act") return { "bifocal.action": operation.action };
  if ("query" in operation && operation.query !== undefined) return { "bifocal.query": operation.query.name };
  if (operation.kind === "link" || operation.kind === "unlink") return { "bifocal.relation": operation.relation };
  return {};
}

function countRows(outcome: Outcome): number | undefined {
  switch (outcome.kind) {
    case "item":
      return 1;
    case "page":
      return outcome.page.length;
    case "batch":
      return outcome.keys.length;
    default:
      return undefined;
  }
}
