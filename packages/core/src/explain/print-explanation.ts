import type { AccessExplanation } from "./access-explanation.ts";
import type { Decision } from "./explain-right.ts";
import type { RuleExplanation } from "./explain-rule.ts";
import { isSystem, type Principal } from "../definition/principal.ts";

/**
 * Prints each decision on a line, with the rules that led to it below. Parts without their own rule share one line.
 */
export function printExplanation({
  principal,
  question,
  scope,
  decisions,
  parts,
}: Omit<AccessExplanation, "text">): string {
  const what = [question.kind, question.resource, question.action ?? question.query?.name ?? question.relation]
    .filter(Boolean)
    .join(" ");
  const own = parts.filter(({ isDefault }) => !isDefault);
  const rest = parts.filter(({ isDefault }) => isDefault);
  const lines = [`${nameOfPrincipal(principal)}: ${what}`];
  if (scope !== undefined) lines.push(`  within the scope: ${scope.where}`);
  for (const decision of [...decisions, ...own]) lines.push(...decisionLines(decision));
  const names = [...new Set(rest.map(({ subject }) => subject.slice(question.resource.length + 1)))];
  if (names.length > 0) lines.push(`  inherited from the resource: ${names.join(", ")}`);
  return lines.join("\n");
}

function decisionLines({ right, subject, answer, where, rules }: Decision): string[] {
  const rows = answer === "rows" ? ` where ${where}` : "";
  const lines = [`  ${right} ${subject}: ${SAYS[answer]}${rows}`];
  for (const rule of rules) lines.push(...ruleLines(rule, "    ", `${rule.at} = `));
  return lines;
}

function ruleLines({ rule, answer, where, problem, parts }: RuleExplanation, indent: string, before = ""): string[] {
  const rows = answer === "rows" ? ` where ${where}` : "";
  const why = problem === undefined ? "" : ` (${problem})`;
  const lines = [`${indent}${before}${rule}: ${SAYS[answer]}${rows}${why}`];
  for (const part of parts) lines.push(...ruleLines(part, `${indent}  `));
  return lines;
}

const SAYS = {
  yes: "yes",
  no: "no",
  rows: "yes",
  input: "depends on the input",
  none: "no (rule failed)",
} as const;

/** Returns a principal as text: `ann (editor)`. */
function nameOfPrincipal(principal: Principal | null): string {
  if (principal === null) return "anonymous";
  if (isSystem(principal)) return `the system (${principal["~system"]})`;
  const { id, roles = [] } = principal;
  return roles.length === 0 ? id : `${id} (${roles.join(", ")})`;
}
