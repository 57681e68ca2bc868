import { type Mutant, mutantsOf } from "./mutant.ts";
import { CORE } from "./suites.ts";

/** Links and related rows in an update: which of them a caller can name, read and change. */
export const nested: readonly Mutant[] = mutantsOf(
  "packages/core/src/engine/write/nested",
  [`${CORE}/nested/nested-updates.test.ts`, `${CORE}/nested/nested-access.test.ts`],
  [
    [
      "related rows to change are those of the parent",
      "prepare-parts.ts",
      "andFilters(visible, isChild(plan, row))",
      "visible",
    ],
    [
      "related rows to change are visible",
      "prepare-parts.ts",
      "andFilters(visible, isChild(plan, row))",
      "isChild(plan, row)",
    ],
    [
      "changes of related rows need a readable relation",
      "check-parts.ts",
      "await collectIssues(found, at, async () => refuseUnreadable(context, relation));",
      "",
    ],
    [
      "changes of related rows need a relation that is readable for this row",
      "prepare-parts.ts",
      "if (isRead) {",
      "if (false) {",
    ],
    [
      "a relation is readable for each row by its rule",
      "refuse-unreadable.ts",
      "if (!(await matchesRow(context, own, source, readable)))",
      "if (false)",
    ],
    [
      "related rows are updated and deleted by their rules, before the first hook",
      "prepare-parts.ts",
      "if (child === undefined || (await matchesRow(context, target, child, decision))) continue;",
      "continue;",
    ],
    [
      "a caller who can't delete any related row is told so",
      "check-parts.ts",
      "refuseNever(context, deletable, `delete this ${target.name}`);",
      "",
    ],
    [
      "an update of a related row can't name its parent",
      "check-parts.ts",
      "if (misplaced.length > 0) throw invalid(misplaced);",
      "",
    ],
    [
      "changes of related rows need their version if required",
      "check-parts.ts",
      "requirePrecondition(context, target, { ifMatch });",
      "",
    ],
    [
      "the number of changed related rows is limited",
      "read-children.ts",
      "if (lists[kind].length <= writes[kind]) continue;",
      "continue;",
    ],
    [
      "links lead to visible rows",
      "plan-links.ts",
      "const filter = isAlways(visible) ? undefined : await storeFilter(context, resource, visible);",
      "const filter = undefined;",
    ],
    [
      "setting links needs a readable relation",
      "plan-links.ts",
      "if (isSet) await refuseUnreadable(context, relation);",
      "",
    ],
    [
      "setting links keeps those to hidden rows",
      "apply-links.ts",
      "filter: isAlways(visible) ? undefined : await storeFilter(context, target, visible),",
      "filter: undefined,",
    ],
    [
      "links are changed by the rule of the row",
      "apply-links.ts",
      'await refuseLinkEnd(context, rights, "source", source).catch(atPath(path));',
      "",
    ],
    [
      "links are changed by the rule of the other row",
      "apply-links.ts",
      'await refuseLinkEnd(context, rights, "target", one.row).catch(atPath(one.path));',
      "await undefined;",
    ],
    [
      "the number of links in an input is limited",
      "read-links.ts",
      "if (lists.add.length + lists.remove.length > links) {",
      "if (false) {",
    ],
    ["the number of links that are set is limited", "apply-links.ts", "if (page?.more === true)", "if (false)"],
    [
      "removed links are charged",
      "apply-links.ts",
      "await context.engine.charge(context.caller, CASCADE_COST * remove.length);",
      "",
    ],
    [
      "a nested update follows the rule of its row",
      "run-nested-update.ts",
      "const where = andFilters(visible, decision);",
      "const where = visible;",
    ],
    [
      "a nested update requires the current version",
      "run-nested-update.ts",
      "if (await failsPrecondition(inner, resource, before, ifMatch, ifNoneMatch)) throw stale(resource);",
      "",
    ],
    [
      "nested creates are decided before the first hook",
      "run-nested-update.ts",
      "await decideFirst(inner, found.rows, hasBeforeHook(resource, plans));",
      "",
    ],
  ],
);
