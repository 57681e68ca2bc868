import { type GraphQLError, Kind, visit } from "graphql";
import { isBifocalError } from "../../errors/bifocal-error.ts";
import { refuseDepth } from "../../limits/refuse-excess.ts";
import type { Operation } from "../../operation/operation.ts";
import { allMaybePromises, mapMaybePromise, type MaybePromise } from "../../util/maybe-promise.ts";
import type { CompiledOperation } from "../compile/compile-operation.ts";
import type { OperationPlan } from "../compile/plan.ts";
import type { ExecutionContext } from "../context.ts";
import { requireOneWrite } from "./require-one-write.ts";
import { toGraphQLError } from "../graphql-error.ts";
import { deferredCost } from "../incremental/deferred-cost.ts";
import type { DeferredApi } from "../incremental/deferred-reads.ts";
import type { PartFormat } from "../incremental/graphql-js.ts";
import { extensionsOf } from "../meter.ts";
import { executeInParts, type InParts, partDocument } from "./execute-in-parts.ts";
import type { Execution } from "./execution.ts";
import type { ErrorSettings } from "./format-error.ts";
import { rootOf } from "../root-field.ts";
import { joinResults, refusedResult, type ResultText, type RootResult } from "./result.ts";
import { lowerRoot, type PreparedRoot, runRoot } from "./run-root.ts";
import { operationsBeside } from "./operations-beside.ts";
import { executeAll } from "./with-graphql-js.ts";

const NONE: Readonly<Record<string, unknown>> = {};

/** Executes a query or a mutation. Never throws. */
export type ExecuteOperation = (
  compiled: CompiledOperation,
  inputs: Readonly<Record<string, unknown>> | undefined,
  context: ExecutionContext,
  /** Format of the parts, for a client that accepts an incremental response. */
  format?: PartFormat,
) => MaybePromise<ResultText>;

/** Lowers every root field and checks their total cost before the first one runs. */
export function createExecuteOperation(api: DeferredApi, settings: ErrorSettings): ExecuteOperation {
  return (compiled, inputs = NONE, context, format) => {
    const refused = (errors: readonly GraphQLError[]): ResultText => {
      context.caller.onMalformed?.();
      return refusedResult(errors, settings);
    };
    if (context.idempotencyKey !== undefined && compiled.operation.operation === "mutation") {
      const refusal = requireOneWrite(compiled.source);
      if (refusal !== undefined) return refused([toGraphQLError(refusal)]);
    }
    const { variables, errors } = compiled.coerce(inputs);
    if (errors !== undefined) return refused(errors);
    const plan = compiled.planFor(variables);
    const denials = { count: 0, most: settings.resultErrors };
    const execution: Execution = { source: compiled.source, compiled, inputs, context, settings, denials };
    if (plan === undefined) {
      const { operation } = compiled;
      const refusal = context.refuseTotal?.(operationsBeside(execution, operation.selectionSet));
      return refusal === undefined ? executeAll(execution) : refused([toGraphQLError(refusal)]);
    }
    const prepared = plan.roots.map((root) => lowerRoot(execution, root, variables));
    // A field that could not be lowered runs no operation, so its cost is not counted.
    if (prepared.some((root) => "result" in root && root.result?.errors !== undefined)) context.caller.onMalformed?.();
    if (format !== undefined && compiled.inParts !== undefined) {
      const source = compiled.inParts;
      const inParts = { api, format, source, document: partDocument(source, inputs) };
      return checkParts(execution, inParts, allOperations(execution, prepared)) ?? executeInParts(execution, inParts);
    }
    const refusal = prepared.length > 1 ? context.refuseTotal?.(allOperations(execution, prepared)) : undefined;
    if (refusal !== undefined) return refused([toGraphQLError(refusal)]);
    if (compiled.operation.operation === "mutation") return runInSeries(execution, plan, prepared);
    const running = allMaybePromises(prepared.map((root) => runRoot(execution, root)));
    return mapMaybePromise(running, (results) => joinResults(plan.roots, results, extensionsOf(context), denials));
  };
}

/** Checks the depth and the cost of the whole document, including the cost of reading deferred parts. */
function checkParts(
  { context, settings }: Execution,
  { api, document, source }: InParts,
  operations: readonly Operation[],
): ResultText | undefined {
  try {
    // Reject an invalid `initialCount` before any of the data is read.
    visit(source.document, { Field: (node) => void document.parts?.initialCount(node) });
    for (const operation of operations) {
      if ("selection" in operation && operation.selection !== undefined) refuseDepth(operation.selection, api.limits);
    }
    const refusal = context.refuseTotal?.(operations, deferredCost(api, document, source.operation));
    if (refusal !== undefined) throw refusal;
    return undefined;
  } catch (thrown) {
    if (!isBifocalError(thrown)) throw thrown;
    return refusedResult([toGraphQLError(thrown)], settings);
  }
}

function operationsOf(prepared: readonly PreparedRoot[]): readonly Operation[] {
  return prepared.flatMap((root) => ("operation" in root && root.operation !== undefined ? [root.operation] : []));
}

/** Includes the operations of derived fields that graphql-js executes. */
function allOperations(execution: Execution, prepared: readonly PreparedRoot[]): readonly Operation[] {
  const own = operationsOf(prepared);
  const others = prepared.filter((root) => !("operation" in root) && !("result" in root) && isOurs(root.plan.field));
  if (others.length === 0) return own;
  const selections = others.flatMap(({ plan }) => plan.nodes);
  return [...own, ...operationsBeside(execution, { kind: Kind.SELECTION_SET, selections })];
}

function isOurs(field: OperationPlan["roots"][number]["field"]): boolean {
  return rootOf(field?.subscribe ?? field?.resolve) !== undefined;
}

/**
 * Runs root fields in order until one of them makes `data` null (specification §6.2.2). Synchronous if no field is
 * asynchronous.
 */
function runInSeries(
  execution: Execution,
  plan: OperationPlan,
  prepared: readonly PreparedRoot[],
  results: readonly RootResult[] = [],
): MaybePromise<ResultText> {
  const next = prepared[results.length];
  if (next === undefined || results.at(-1)?.isFatal === true) {
    return joinResults(plan.roots, results, extensionsOf(execution.context), execution.denials);
  }
  return mapMaybePromise(runRoot(execution, next), (result) =>
    runInSeries(execution, plan, prepared, [...results, result]),
  );
}
