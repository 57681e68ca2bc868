import { type ComposedAnswer, composedOf, type PartAnswer } from "../../definition/compose-rules.ts";
import { isBifocalError } from "../../errors/bifocal-error.ts";
import type { RelationModel, ResourceModel } from "../../model/model.ts";
import { ALWAYS, andFilters, type Filter, NEVER, notFilter, orFilters } from "../../operation/filter.ts";
import { lowerFilter } from "../../lowering/lower-filter.ts";
import type { Engine, OperationContext } from "../operation-context.ts";
import { resourceOf } from "../../model/resource-of.ts";

/** The part of an operation's context that is needed to evaluate rules and lower their results. */
export interface Asker extends Pick<OperationContext, "caller" | "log"> {
  readonly engine: Pick<Engine, "model" | "limits">;
}

/**
 * The rows that a rule allows, and those that it denies. It has no result for all others: they are denied, also by the negation
 * of the rule (docs/adr/0016).
 */
export interface Verdict {
  readonly yes: Filter;
  readonly no: Filter;
}

const YES: Verdict = { yes: ALWAYS, no: NEVER };
const NO: Verdict = { yes: NEVER, no: ALWAYS };
const NO_ANSWER: Verdict = { yes: NEVER, no: NEVER };

/** Lowers the result of a rule to filters over rows of `resource`. Invalid results are logged. */
export function lowerAnswer(asker: Asker, answer: unknown, resource: ResourceModel): Verdict {
  if (answer === true) return YES;
  if (answer === false) return NO;
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) {
    asker.log.error(`A rule of '${resource.name}' returned ${describe(answer)}, which is invalid. Access is denied.`);
    return NO_ANSWER;
  }
  const composed = composedOf(answer);
  return composed === undefined ? lowerRows(asker, answer, resource) : lowerComposed(asker, composed, resource);
}

/** Handles an error of a rule: a `BifocalError` is rethrown for the caller; any other error counts as no result. */
export function refuseThrown(asker: Asker, thrown: unknown, resource: ResourceModel): Verdict {
  if (isBifocalError(thrown)) throw thrown;
  asker.log.error(`A rule of '${resource.name}' threw an error. Access is denied.`, { cause: thrown });
  return NO_ANSWER;
}

function lowerRows(asker: Asker, answer: object, resource: ResourceModel): Verdict {
  const { model, limits } = asker.engine;
  try {
    const options = { form: "value", limits, path: [], trusted: true, isRule: true } as const;
    const yes = lowerFilter({ model, resource }, answer, options) ?? ALWAYS;
    return { yes, no: notFilter(yes) };
  } catch (thrown) {
    const isMissing = isBifocalError(thrown) && thrown.issues.every(({ code }) => code === "missing_operand");
    // For an anonymous caller, `principal?.id` is undefined by design. For an authenticated caller, a claim is missing.
    if (!isMissing || asker.caller.principal !== null) {
      asker.log.error(`A rule of '${resource.name}' returned an invalid filter. Access is denied.`, { cause: thrown });
    }
    return NO_ANSWER;
  }
}

function lowerComposed(asker: Asker, { kind, parts, relation = "" }: ComposedAnswer, resource: ResourceModel): Verdict {
  if (kind === "through") return lowerThrough(asker, resource.relations.get(relation), parts, resource);
  const verdicts = parts.map((part) => lowerPart(asker, part, resource));
  const yeses = verdicts.map(({ yes }) => yes);
  const noes = verdicts.map(({ no }) => no);
  switch (kind) {
    case "and":
      return { yes: andFilters(...yeses) ?? ALWAYS, no: orFilters(...noes) };
    case "or":
      return { yes: orFilters(...yeses), no: andFilters(...noes) ?? ALWAYS };
    case "not":
      return { yes: noes[0] ?? NEVER, no: yeses[0] ?? NEVER };
  }
}

function lowerThrough(
  asker: Asker,
  relation: RelationModel | undefined,
  [part]: readonly PartAnswer[],
  resource: ResourceModel,
): Verdict {
  if (relation === undefined || part === undefined) {
    asker.log.error(`A rule of '${resource.name}' uses an unknown relation. Access is denied.`);
    return NO_ANSWER;
  }
  const { yes, no } = lowerPart(asker, part, resourceOf(asker.engine.model, relation.target));
  // Allowed: a related row exists that the rule allows. Denied: the rule denies all related rows.
  return { yes: someRelated(relation, yes), no: notFilter(someRelated(relation, notFilter(no))) };
}

function someRelated({ name, many }: RelationModel, filter: Filter): Filter {
  if (filter.kind === "constant" && !filter.value) return NEVER;
  return { kind: "related", relation: name, quantifier: many ? "some" : "one", filter };
}

function lowerPart(asker: Asker, part: PartAnswer, resource: ResourceModel): Verdict {
  return "thrown" in part ? refuseThrown(asker, part.thrown, resource) : lowerAnswer(asker, part.answer, resource);
}

function describe(answer: unknown): string {
  return answer === null ? "null" : Array.isArray(answer) ? "a list" : typeof answer;
}
