import type { Access } from "../../definition/resource-config.ts";
import type { Draft, Pass, Report } from "./draft.ts";
import { namesOf } from "./names-of.ts";
import { checkMembers, isObject, quote, readNames, suggest } from "./read-config.ts";
import { resolveRule } from "./resolve-rule.ts";

const RULES = ["read", "create", "update", "delete"] as const;
const OPTIONS = namesOf<Access<unknown, string>>({
  read: true,
  create: true,
  update: true,
  delete: true,
  fields: true,
  relations: true,
});

/** Resolves the four access rules and the unique groups of each resource. */
export const resolveAccess: Pass = (drafts, report) => {
  for (const draft of drafts.values()) {
    const { name, config } = draft;
    const access = config["access"];
    const at = `${name}.access`;
    if (isObject(access)) {
      checkMembers(access, OPTIONS, at, report);
      const [read, create, update, deletion] = RULES.map((rule) => resolveRule(access[rule], `${at}.${rule}`, report));
      if (read && create && update && deletion) draft.access = { read, create, update, delete: deletion };
    } else {
      const fix = "Add a rule for read, create, update and delete. Nothing is public by default.";
      report(at, "The access rules are missing.", fix);
    }
    draft.unique = readUnique(draft, report);
  }
};

function readUnique({ name, config, schemas }: Draft, report: Report): readonly (readonly string[])[] {
  const unique = config["unique"];
  const at = `${name}.unique`;
  if (unique === undefined) return [];
  if (!Array.isArray(unique)) {
    report(at, "Expected a list.", 'Pass a list of fields or groups of fields: ["slug", ["bookId", "reviewer"]].');
    return [];
  }
  if (unique.some((group: unknown) => Array.isArray(group) && group.length === 0)) {
    report(at, "The group is empty.", "List the fields whose combination must be unique, or remove the group.");
  }
  return unique.map((group: unknown) => readNames(Array.isArray(group) ? group : [group], schemas.keys(), at, report));
}

/** Reports a value that isn't one of the known names. */
export function checkOption(value: unknown, known: readonly string[], at: string, report: Report): void {
  if (value === undefined || known.includes(value as string)) return;
  report(at, `${quote(value)} is not a valid value.`, suggest(value, known));
}
