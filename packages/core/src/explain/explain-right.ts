import { ALWAYS, andFilters, type Filter } from "../operation/filter.ts";
import { printFilter } from "../operation/print-filter.ts";
import type { ResourceModel } from "../model/model.ts";
import type { RuleResult } from "../model/access/access-table.ts";
import type { Right } from "../model/access/rights.ts";
import { type Asking, explainRule, type RuleExplanation } from "./explain-rule.ts";

/** A right of one principal: the result of each rule, and the decision that follows. */
export interface Decision extends Pick<Right, "subject" | "kind" | "right" | "isDefault"> {
  readonly answer: RuleResult;
  /**
   * The rows that the decision covers, as the filter in the statement. For a relation, these are rows of its source.
   */
  readonly filter: Filter;
  readonly where: string;
  readonly rules: readonly (RuleExplanation & { readonly at: string })[];
}

/** Evaluates a right. All of its rules must allow. */
export async function explainRight(asking: Asking, resource: ResourceModel, right: Right): Promise<Decision> {
  const rules: Decision["rules"][number][] = [];
  const own: Filter[] = [];
  const far: Filter[] = [];
  for (const { at, rule, resource: of } of right.rules) {
    const explanation = await explainRule(asking, rule.rule, of);
    rules.push({ at, ...explanation });
    (of === resource ? own : far).push(explanation.filter);
  }
  const filter = andFilters(...own) ?? ALWAYS;
  // For a relation: the rows of the target that can be seen through it.
  const along = andFilters(...far) ?? ALWAYS;
  const { subject, kind, right: name, isDefault } = right;
  const where = along === ALWAYS ? printFilter(filter) : `${printFilter(filter)}; along it ${printFilter(along)}`;
  return { subject, kind, right: name, isDefault, answer: answerOf(rules), filter, where, rules };
}

function answerOf(rules: readonly RuleExplanation[]): RuleResult {
  const answers = new Set(rules.map(({ answer }) => answer));
  for (const answer of ["no", "none", "input", "rows"] as const) if (answers.has(answer)) return answer;
  return "yes";
}
