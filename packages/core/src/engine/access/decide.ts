import { BifocalError } from "../../errors/bifocal-error.ts";
import type { ResourceModel, RuleModel } from "../../model/model.ts";
import { ALWAYS, type Filter, NEVER } from "../../operation/filter.ts";
import type { MaybePromise } from "../../store/store.ts";
import type { OperationContext } from "../operation-context.ts";
import { lowerAnswer, refuseThrown } from "./lower-answer.ts";

type Input = Readonly<Record<string, unknown>> | undefined;

/**
 * Evaluates a rule for the caller and returns `ALWAYS`, `NEVER`, or a filter over rows of `resource`. A rule denies if
 * it throws or its filter compares with `undefined`. The result is cached for the operation.
 */
export function decide(context: OperationContext, rule: RuleModel, resource: ResourceModel): MaybePromise<Filter> {
  if (rule.kind === "allow" || context.system) return ALWAYS;
  if (rule.kind === "deny") return NEVER;
  const before = context.decisions?.get(rule);
  if (before !== undefined) return before;
  const decision = ask(context, rule, resource, undefined);
  context.decisions ??= new Map();
  context.decisions.set(rule, decision);
  return decision;
}

/** Evaluates a rule that may read the input. */
export function decideInput(
  context: OperationContext,
  rule: RuleModel,
  resource: ResourceModel,
  input: Input,
): MaybePromise<Filter> {
  if (rule.kind === "allow" || context.system) return ALWAYS;
  return rule.kind === "deny" ? NEVER : ask(context, rule, resource, input);
}

function ask(context: OperationContext, rule: RuleModel, resource: ResourceModel, input: Input): MaybePromise<Filter> {
  context.cacheability.personal = true;
  const { principal } = context.caller;
  try {
    const answer = rule.rule(input === undefined ? { principal } : { principal, input });
    if (!(answer instanceof Promise)) return lowerAnswer(context, answer, resource).yes;
    return answer.then(
      (settled) => lowerAnswer(context, settled, resource).yes,
      (thrown: unknown) => refuseThrown(context, thrown, resource).yes,
    );
  } catch (thrown) {
    return refuseThrown(context, thrown, resource).yes;
  }
}

/** Throws if the decision denies access to every row, before any row is read. */
export function refuseNever(context: OperationContext, decision: Filter, what: string): void {
  if (decision.kind === "constant" && !decision.value) throw denied(context, what);
}

export function denied(context: OperationContext, what: string): BifocalError {
  if (context.caller.principal !== null) return new BifocalError("FORBIDDEN", `You are not allowed to ${what}.`);
  return new BifocalError("UNAUTHENTICATED", `Authentication is required to ${what}.`);
}

export function isAlways(filter: Filter): boolean {
  return filter.kind === "constant" && filter.value;
}

export function isNever(filter: Filter): boolean {
  return filter.kind === "constant" && !filter.value;
}
