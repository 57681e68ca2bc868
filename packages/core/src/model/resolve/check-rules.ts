import { nameOf, partsOf } from "../../definition/rule-parts.ts";
import type { RuleModel } from "../model.ts";
import type { Draft, Drafts, Pass, Report } from "./draft.ts";
import { quoteName, suggest } from "./read-config.ts";

const KINDS = ["read", "create", "update", "delete"] as const;

/** Checks that the parts of composed rules are rules, and that the relations and fields they name exist. */
export const checkRules: Pass = (drafts, report) => {
  for (const draft of drafts.values()) {
    const check = ({ rule }: RuleModel, at: string): void =>
      checkRule(rule, draft, `${draft.name}.${at}`, drafts, report);
    const { access, fields, computed, relations, actions, queries } = draft;
    if (access !== undefined) for (const kind of KINDS) check(access[kind], `access.${kind}`);
    for (const { name, read, write } of fields.values()) {
      check(read, `access.fields.${name}.read`);
      check(write, `access.fields.${name}.write`);
    }
    for (const { name, read } of computed.values()) check(read, `access.fields.${name}.read`);
    for (const { name, read, link } of relations.values()) {
      check(read, `access.relations.${name}.read`);
      // The default is the update rule, which was already checked.
      if (link.rule !== access?.update.rule) check(link, `access.relations.${name}.link`);
    }
    for (const { name, access: rule } of actions.values()) check(rule, `actions.${name}.access`);
    for (const { name, access: rule } of queries.values()) check(rule, `queries.${name}.access`);
  }
};

function checkRule(rule: unknown, draft: Draft | undefined, at: string, drafts: Drafts, report: Report): void {
  if (typeof rule !== "function") {
    report(at, `Only rules can be combined; received ${nameOf(rule)}.`, "Pass rules to it, not their results.");
    return;
  }
  const { kind, rules, relation, fields = [] } = partsOf(rule as RuleModel["rule"]);
  if ((kind === "and" || kind === "or") && rules.length === 0) {
    report(at, `'${nameOf(rule)}' has no rules to combine.`, "Pass at least one rule. To allow everyone, use `allow`.");
  }
  if (draft !== undefined) {
    for (const field of fields) {
      if (draft.schemas.has(field)) continue;
      const problem = `${nameOf(rule)} uses a field that '${draft.name}' doesn't have.`;
      report(at, problem, suggest(field, [...draft.schemas.keys()]));
    }
  }
  if (relation === undefined) {
    for (const part of rules) checkRule(part, draft, at, drafts, report);
    return;
  }
  const found = draft?.relations.get(relation);
  if (draft !== undefined && found === undefined) {
    report(
      at,
      `'${draft.name}' has no relation ${quoteName(relation)}.`,
      suggest(relation, [...draft.relations.keys()]),
    );
  }
  for (const part of rules) checkRule(part, found && drafts.get(found.target), at, drafts, report);
}
