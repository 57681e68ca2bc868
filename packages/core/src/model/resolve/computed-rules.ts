import { allOf } from "../../definition/compose-rules.ts";
import type { RuleModel } from "../model.ts";
import type { Draft, Report } from "./draft.ts";
import { isObject } from "./read-config.ts";
import { ALLOW, DENY, resolveOwnRule } from "./resolve-access.ts";

/** Returns the read rule that the definition sets for a computed field. */
export function computedReadRule(
  { name: resource, config }: Draft,
  name: string,
  report: Report,
): RuleModel | undefined {
  const access = config["access"];
  const fields = isObject(access) ? access["fields"] : undefined;
  const own = isObject(fields) ? fields[name] : undefined;
  const at = `${resource}.access.fields.${name}`;
  if (!isObject(own)) return undefined;
  if (Object.hasOwn(own, "write")) {
    report(`${at}.write`, "No caller can write a computed field.", "Remove this rule.");
  }
  return Object.hasOwn(own, "read") ? resolveOwnRule(own, "read", ALLOW, at, report) : undefined;
}

/** Joins rules. A constant rule stays constant, so that responses stay cacheable. */
export function allOfRules(rules: readonly RuleModel[]): RuleModel {
  if (rules.some(({ kind }) => kind === "deny")) return DENY;
  const [first, ...others] = new Set(rules.filter(({ kind }) => kind === "ask"));
  if (first === undefined) return ALLOW;
  if (others.length === 0) return first;
  return { kind: "ask", rule: others.reduce((joined, { rule }) => allOf(joined, rule), first.rule) };
}
