import { nameOf, partsOf } from "../definition/rule-parts.ts";
import { isSystem, type Principal } from "../definition/principal.ts";
import type { Rule, RuleContext } from "../definition/rule.ts";
import { type Asker, lowerAnswer, type Verdict } from "../engine/access/lower-answer.ts";
import { resourceOf } from "../model/resource-of.ts";
import { isBifocalError } from "../errors/bifocal-error.ts";
import type { RuleResult } from "../model/access/access-table.ts";
import type { ResourceModel } from "../model/model.ts";
import { ALWAYS, type Filter, NEVER } from "../operation/filter.ts";
import { printFilter } from "../operation/print-filter.ts";
import type { Log } from "../util/log.ts";

/** The result of one rule and of its parts. */
export interface RuleExplanation {
  /** The rule as text, such as `anyOf(hasRole("editor"), owner("authorId"))`, or the name of the function. */
  readonly rule: string;
  readonly answer: RuleResult;
  /** The rows that the rule allows. */
  readonly filter: Filter;
  /** The filter as text. */
  readonly where: string;
  /** The reason why the rule gave no answer. */
  readonly problem?: string;
  readonly parts: readonly RuleExplanation[];
}

export interface Asking {
  readonly asker: Asker;
  readonly principal: Principal | null;
  readonly input: Readonly<Record<string, unknown>> | undefined;
}

/** Evaluates a rule and each of its parts. Errors are part of the result instead of the log. */
export async function explainRule(
  { asker, principal, input }: Asking,
  rule: Rule,
  resource: ResourceModel,
): Promise<RuleExplanation> {
  if (principal !== null && isSystem(principal)) {
    return explained(`asSystem(${JSON.stringify(principal["~system"])})`, "yes", ALWAYS, []);
  }
  const { kind, rules, relation } = partsOf(rule);
  const { model } = asker.engine;
  const target = relation === undefined ? undefined : resource.relations.get(relation)?.target;
  const parts: RuleExplanation[] = [];
  for (const part of rules) {
    const of = target === undefined ? resource : resourceOf(model, target);
    parts.push(await explainRule({ asker, principal, input }, part, of));
  }
  let looked = false;
  const context: RuleContext = {
    principal,
    get input() {
      looked = true;
      return input;
    },
  };
  const problems: string[] = [];
  const { yes, no } = await verdictOf({ ...asker, log: keeping(problems) }, rule, context, resource);
  const answer =
    looked && input === undefined
      ? "input"
      : isConstant(yes, true)
        ? "yes"
        : !isConstant(yes, false)
          ? "rows"
          : isConstant(no, true)
            ? "no"
            : "none";
  const found = explained(nameOf(rule), answer, yes, parts);
  // Composed rules leave it to their parts to report problems.
  return kind === "plain" && problems.length > 0 ? { ...found, problem: problems.join(" ") } : found;
}

async function verdictOf(asker: Asker, rule: Rule, context: RuleContext, resource: ResourceModel): Promise<Verdict> {
  try {
    return lowerAnswer(asker, await rule(context), resource);
  } catch (thrown) {
    const what = isBifocalError(thrown) ? `The rule threw ${thrown.code}` : "The rule threw an error";
    asker.log.error(`${what}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    return { yes: NEVER, no: NEVER };
  }
}

function explained(
  rule: string,
  answer: RuleResult,
  filter: Filter,
  parts: readonly RuleExplanation[],
): RuleExplanation {
  return { rule, answer, filter, where: printFilter(filter), parts };
}

function isConstant(filter: Filter, value: boolean): boolean {
  return filter.kind === "constant" && filter.value === value;
}

function keeping(problems: string[]): Log {
  const keep: Log["error"] = (message, details) => {
    const cause = details?.["cause"];
    problems.push(cause instanceof Error ? `${message} ${cause.message}` : message);
  };
  return { info: () => {}, warn: keep, error: keep };
}
