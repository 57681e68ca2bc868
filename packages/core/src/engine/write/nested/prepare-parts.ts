import type { Issue } from "../../../errors/bifocal-error.ts";
import type { Key, Row } from "../../../model/model.ts";
import { referenceOf } from "../../../model/reference.ts";
import { andFilters, type Filter, NEVER } from "../../../operation/filter.ts";
import { valueFilter } from "../../../operation/keys-filter.ts";
import { keyOf, keyToken } from "../../../operation/key.ts";
import type { OperationContext } from "../../operation-context.ts";
import { denied } from "../../access/decide.ts";
import { matchesRow } from "../../read/match-rows.ts";
import { storeFilter } from "../../read/rewrite-related.ts";
import { invalid } from "../checks/check-input.ts";
import { errorAt } from "../checks/error-at.ts";
import type { ChildrenPlan, PartPlan } from "./check-parts.ts";
import { unknownRow } from "./named-keys.ts";
import { refuseUnreadable } from "./refuse-unreadable.ts";

/** Number of keys in one read. */
const CHUNK = 500;

/**
 * Checks within the transaction, before the first hook runs, that the rows to change are related to this row and that
 * the caller can see and change them. A row of another parent is treated like a missing one.
 */
export async function prepareParts(
  context: OperationContext,
  row: Row,
  plans: readonly PartPlan[],
  issues: Issue[] = [],
): Promise<void> {
  await prepareLevel(context, row, plans, issues);
  if (issues.length > 0) throw invalid(issues);
}

async function prepareLevel(
  context: OperationContext,
  row: Row,
  plans: readonly PartPlan[],
  issues: Issue[],
): Promise<void> {
  for (const plan of plans) {
    const isRead = plan.kind === "links" ? plan.isSet : plan.update.length + plan.delete.length > 0;
    if (isRead) {
      await refuseUnreadable(context, plan.relation, row).catch((thrown: unknown) => {
        throw errorAt(thrown, plan.path);
      });
    }
    if (plan.kind === "children" && isRead) await prepareChildren(context, row, plan, issues);
  }
}

async function prepareChildren(
  context: OperationContext,
  row: Row,
  plan: ChildrenPlan,
  issues: Issue[],
): Promise<void> {
  const { target, update } = plan;
  const named = [...update, ...plan.delete];
  const children = await readChildren(
    context,
    plan,
    row,
    named.map(({ key }) => key),
  );
  for (const { key, path } of named) if (!children.has(keyToken(key))) issues.push(unknownRow(target, path));
  const decided = [
    ...update.map(({ key, path, checked }) => ({
      key,
      path: path.slice(0, -1),
      decision: checked.decision,
      what: "update",
    })),
    ...plan.delete.map((one) => ({ ...one, decision: plan.deletable, what: "delete" })),
  ];
  for (const { key, path, decision, what } of decided) {
    const child = children.get(keyToken(key));
    if (child === undefined || (await matchesRow(context, target, child, decision))) continue;
    throw errorAt(denied(context, `${what} this ${target.name}`), path);
  }
  for (const { key, parts } of update) {
    const child = children.get(keyToken(key));
    if (child !== undefined && parts.length > 0) await prepareLevel(context, child, parts, issues);
  }
}

async function readChildren(
  context: OperationContext,
  plan: ChildrenPlan,
  row: Row,
  keys: readonly Key[],
): Promise<ReadonlyMap<string, Row>> {
  const { target, visible } = plan;
  const filter = await storeFilter(context, target, andFilters(visible, isChild(plan, row)));
  const found = new Map<string, Row>();
  for (let start = 0; start < keys.length; start += CHUNK) {
    const query = { resource: target, keys: keys.slice(start, start + CHUNK), filter };
    const rows = await context.storeOf(target.name).byKeys(query, context.deadline);
    for (const child of rows) found.set(keyToken(keyOf(target, child)), child);
  }
  return found;
}

/** Returns the filter for the rows of a relation. */
export function isChild({ relation }: ChildrenPlan, parent: Row): Filter {
  const value = referenceOf(relation.local, parent);
  return value === null ? NEVER : valueFilter(relation.foreign, value);
}
