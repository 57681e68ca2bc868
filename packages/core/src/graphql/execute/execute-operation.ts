import type { Operation } from "../../operation/operation.ts";
import { allNow, type MaybePromise, thenNow } from "../../util/maybe-promise.ts";
import type { CompiledOperation } from "../compile/compile-operation.ts";
import type { Plan } from "../compile/plan.ts";
import type { ExecutionContext } from "../context.ts";
import { toGraphQLError } from "../graphql-error.ts";
import type { Execution } from "./execution.ts";
import type { ErrorSettings } from "./format-error.ts";
import { joinResults, refusedResult, type ResultText, type RootResult } from "./result.ts";
import { lowerRoot, type Prepared, runRoot } from "./run-root.ts";
import { executeAll } from "./with-graphql-js.ts";

const NONE: Readonly<Record<string, unknown>> = {};

/** Executes a query or a mutation. Never throws. */
export type ExecuteOperation = (
  compiled: CompiledOperation,
  inputs: Readonly<Record<string, unknown>> | undefined,
  context: ExecutionContext,
) => MaybePromise<ResultText>;

/** Every root field is lowered, and what they cost together is checked, before the first one runs. */
export function createExecuteOperation(settings: ErrorSettings): ExecuteOperation {
  return (compiled, inputs = NONE, context) => {
    const { variables, errors } = compiled.coerce(inputs);
    if (errors !== undefined) return refusedResult(errors, settings);
    const plan = compiled.planFor(variables);
    const denials = { count: 0, most: settings.resultErrors };
    const execution: Execution = { source: compiled.source, compiled, inputs, context, settings, denials };
    if (plan === undefined) return executeAll(execution);
    const prepared = plan.roots.map((root) => lowerRoot(execution, root, variables));
    const refusal = prepared.length > 1 ? context.refuseTotal?.(operationsOf(prepared)) : undefined;
    if (refusal !== undefined) return refusedResult([toGraphQLError(refusal)], settings);
    if (compiled.operation.operation === "mutation") return runInSeries(execution, plan, prepared);
    const running = allNow(prepared.map((root) => runRoot(execution, root)));
    return thenNow(running, (results) => joinResults(plan.roots, results, context.cost?.(), denials));
  };
}

function operationsOf(prepared: readonly Prepared[]): readonly Operation[] {
  return prepared.flatMap((root) => ("operation" in root && root.operation !== undefined ? [root.operation] : []));
}

/** One after another, until one of them leaves no data at all (specification §6.2.2). */
async function runInSeries(execution: Execution, plan: Plan, prepared: readonly Prepared[]): Promise<ResultText> {
  const results: RootResult[] = [];
  for (const root of prepared) {
    const result = await runRoot(execution, root);
    results.push(result);
    if (result.isFatal === true) break;
  }
  return joinResults(plan.roots, results, execution.context.cost?.(), execution.denials);
}
