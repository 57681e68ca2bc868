import type { Access } from "../../definition/resource-config.ts";
import type { Pass, Report } from "./draft.ts";
import { namesOf } from "./names-of.ts";
import { checkMembers, isObject, quoteName, suggest } from "./read-config.ts";
import type { Rule } from "../../definition/rule.ts";
import { allow, deny } from "../../definition/rules.ts";
import type { AccessModel, RuleModel } from "../model.ts";

export const ALLOW: RuleModel = Object.freeze({ kind: "allow", rule: allow });
export const DENY: RuleModel = Object.freeze({ kind: "deny", rule: deny });

export const DENY_ALL: AccessModel = Object.freeze({
  read: DENY,
  create: DENY,
  update: DENY,
  delete: DENY,
  deleted: DENY,
  restore: DENY,
});

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

const RULES = ["read", "create", "update", "delete"] as const;
const OPTIONS = namesOf<Access<unknown, string>>({
  read: true,
  create: true,
  update: true,
  delete: true,
  deleted: true,
  restore: true,
  history: true,
  fields: true,
  relations: true,
});

/** Resolves the four access rules of each resource. */
export const resolveAccess: Pass = (drafts, report) => {
  for (const draft of drafts.values()) {
    const { name, config } = draft;
    const access = config["access"];
    const at = `${name}.access`;
    if (isObject(access)) {
      checkMembers(access, OPTIONS, at, report);
      const [read, create, update, deletion] = RULES.map((rule) => resolveRule(access[rule], `${at}.${rule}`, report));
      if (read && create && update && deletion) {
        const deleted = resolveOwnRule(access, "deleted", DENY, at, report);
        const restore = resolveOwnRule(access, "restore", deletion, at, report);
        draft.access = { read, create, update, delete: deletion, deleted, restore };
      }
    } else {
      const fix = "Add a rule for read, create, update and delete. Nothing is public by default.";
      report(at, "The access rules are missing.", fix);
    }
  }
};

/** Reports a value that isn't one of the known names. */
export function checkOption(value: unknown, known: readonly string[], at: string, report: Report): void {
  if (value === undefined || known.includes(value as string)) return;
  report(at, `${quoteName(value)} is not a valid value.`, suggest(value, known));
}
