import type { Operation } from "../../operation/operation.ts";
import type { Outcome } from "../../operation/outcome.ts";
import { offerTexts } from "../../operation/text-shape.ts";
import { mapMaybePromise, type MaybePromise } from "../../util/maybe-promise.ts";
import type { CompiledRoot } from "../compile/compile-root.ts";
import type { RelationPlaces } from "../compile/compiler.ts";
import type { Variables } from "../compile/literal.ts";
import type { RootPlan } from "../compile/plan.ts";
import { UNSURE } from "../compile/unsure.ts";
import type { Arguments } from "../root-field.ts";
import type { ErrorSettings } from "./format-error.ts";
import { failed, type RootResult } from "./result.ts";
import type { Execution } from "./execution.ts";
import { executeRoot } from "./with-graphql-js.ts";

/** A root field that is lowered but has not run yet. */
export interface LoweredRoot {
  readonly plan: RootPlan;
  readonly compiled: CompiledRoot;
  readonly args: Arguments;
  readonly places: RelationPlaces;
  /** Undefined if no operation is needed. */
  readonly operation: Operation | undefined;
}

export type PreparedRoot = LoweredRoot | { readonly plan: RootPlan; readonly result?: RootResult };

/** Lowers a root field. A field that graphql-js has to execute is returned without an operation. */
export function lowerRoot({ settings }: Execution, plan: RootPlan, variables: Variables): PreparedRoot {
  const { compiled, constant, shapeOf } = plan;
  if (constant !== undefined) return { plan, result: { text: constant } };
  if (compiled === undefined || shapeOf === undefined) return { plan };
  try {
    const args = compiled.argumentsOf(variables);
    const { lower, places, textShape } = shapeOf(variables);
    const operation = lower(args);
    if (operation?.kind === "list") offerTexts(operation, textShape);
    return { plan, compiled, args, places, operation };
  } catch (thrown) {
    return thrown === UNSURE ? { plan } : { plan, result: failed(settings, plan, thrown) };
  }
}

/** Runs a root field. Never throws. */
export function runRoot(execution: Execution, prepared: PreparedRoot): MaybePromise<RootResult> {
  const { plan } = prepared;
  if ("result" in prepared && prepared.result !== undefined) return prepared.result;
  if (!("operation" in prepared)) return executeRoot(execution, plan);
  const { operation } = prepared;
  if (operation === undefined) return nothing(execution.settings, plan);
  const { run, caller } = execution.context;
  return mapMaybePromise(run(operation, caller), (outcome) => writeOutcome(execution, prepared, outcome));
}

function writeOutcome(execution: Execution, lowered: LoweredRoot, outcome: Outcome): MaybePromise<RootResult> {
  const { plan, compiled, args, places } = lowered;
  const { settings } = execution;
  if (outcome.kind === "failure") {
    const isNothing = compiled.root.isNullable === true && outcome.error.code === "NOT_FOUND";
    return isNothing ? nothing(settings, plan) : failed(settings, plan, outcome.error);
  }
  if (compiled.write === undefined) return executeRoot(execution, plan, outcome);
  try {
    return { text: compiled.write(outcome, args, places) };
  } catch (thrown) {
    return thrown === UNSURE ? executeRoot(execution, plan, outcome) : failed(settings, plan, thrown);
  }
}

function nothing(settings: ErrorSettings, plan: RootPlan): RootResult {
  return plan.isNonNull
    ? failed(settings, plan, new Error(`Internal error: '${plan.key}' has no value.`))
    : { text: "null" };
}
