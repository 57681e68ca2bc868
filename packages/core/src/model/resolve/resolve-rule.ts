import { allow, deny, type Rule } from "../../definition/rules.ts";
import type { RuleModel } from "../model.ts";
import type { Report } from "./draft.ts";

export const ALLOW: RuleModel = Object.freeze({ kind: "allow", rule: allow });
export const DENY: RuleModel = Object.freeze({ kind: "deny", rule: deny });

/** A rule of the config with what is known of it at start; anything but a function is a mistake, and a no. */
export function resolveRule(rule: unknown, at: string, report: Report): RuleModel {
  if (rule === allow) return ALLOW;
  if (rule === deny) return DENY;
  if (typeof rule === "function") return { kind: "ask", rule: rule as Rule };
  const fix = "Use allow, deny, signedIn, hasRole(…), owner(…) or a function of { principal, input }.";
  report(at, rule === undefined ? "The rule is missing." : "Expected a function.", fix);
  return DENY;
}

/** One of the rules that may be left out; what is there and `undefined` is no decision but a slip. */
export function resolveOwnRule(
  rules: Readonly<Record<string, unknown>>,
  name: string,
  otherwise: RuleModel,
  at: string,
  report: Report,
): RuleModel {
  return Object.hasOwn(rules, name) ? resolveRule(rules[name], `${at}.${name}`, report) : otherwise;
}
