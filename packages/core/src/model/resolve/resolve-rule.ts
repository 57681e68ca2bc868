import type { Rule } from "../../definition/rule.ts";
import { allow, deny } from "../../definition/rules.ts";
import type { RuleModel } from "../model.ts";
import type { Report } from "./draft.ts";

export const ALLOW: RuleModel = Object.freeze({ kind: "allow", rule: allow });
export const DENY: RuleModel = Object.freeze({ kind: "deny", rule: deny });

/** Resolves a rule of the config. Reports anything other than a function, and denies in its place. */
export function resolveRule(rule: unknown, at: string, report: Report): RuleModel {
  if (rule === allow) return ALLOW;
  if (rule === deny) return DENY;
  if (typeof rule === "function") return { kind: "ask", rule: rule as Rule };
  const fix = "Use allow, deny, signedIn, hasRole(…), owner(…) or a function of { principal, input }.";
  report(at, rule === undefined ? "The rule is missing." : "Expected a function.", fix);
  return DENY;
}

/** Resolves an optional rule. An explicit `undefined` is reported as a mistake instead of using the default. */
export function resolveOwnRule(
  rules: Readonly<Record<string, unknown>>,
  name: string,
  otherwise: RuleModel,
  at: string,
  report: Report,
): RuleModel {
  return Object.hasOwn(rules, name) ? resolveRule(rules[name], `${at}.${name}`, report) : otherwise;
}
