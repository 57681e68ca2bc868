import type { Row } from "../../../model/model.ts";
import { andFilters, type Filter } from "../../../operation/filter.ts";
import { keyOf, keyToken } from "../../../operation/key.ts";
import { storeFilter } from "../../read/rewrite-related.ts";
import { childrenFirst } from "../batch/batch-progress.ts";
import { errorAt } from "../checks/error-at.ts";
import { createPart, type TreeWrite } from "../create/create-tree.ts";
import { deletedRow, deleteRow } from "../deletion/delete-row.ts";
import { updateRow } from "../update/update-row.ts";
import { applyLinks } from "./apply-links.ts";
import type { ChildrenPlan, ChildUpdate, PartPlan } from "./check-parts.ts";
import type { NamedKey } from "./named-keys.ts";
import { isChild } from "./prepare-parts.ts";

/**
 * Applies the parts of an update to a row within a transaction, in the order of the relations. Along a relation, rows
 * are deleted first, so that their unique values are free, then updated, then created.
 */
export async function applyParts(tree: TreeWrite, row: Row, plans: readonly PartPlan[]): Promise<void> {
  for (const plan of plans) {
    if (plan.kind === "links") {
      await applyLinks(tree, plan, row, tree.targets);
      continue;
    }
    await deleteChildren(tree, row, plan);
    for (const change of plan.update) await updateChild(tree, row, plan, change);
    const { foreign, local } = plan.relation;
    const within = Object.fromEntries(foreign.map((name, index) => [name, row[local[index] as string] ?? null]));
    for (const [index, input] of plan.create.entries()) {
      await createPart(tree, plan.relation, input, [...plan.path, "create", index], within);
    }
  }
}

async function deleteChildren(tree: TreeWrite, parent: Row, plan: ChildrenPlan): Promise<void> {
  const { context, events } = tree;
  const { target, visible, deletable } = plan;
  const alsoDeleted = new Set(plan.delete.map(({ key }) => keyToken(key)));
  const where = andFilters(visible, deletable, isChild(plan, parent));
  const what = `delete this ${target.name}`;
  for (const { key, path } of await inOrder(tree, plan, where)) {
    const operation = { kind: "delete", resource: target.name, key } as const;
    const hooked = { context, operation, resource: target, events };
    // The row was deleted by the cascade of an earlier row.
    const gone = events.find(
      (event) => event.kind === "deleted" && event.resource === target.name && keyToken(event.key) === keyToken(key),
    );
    try {
      if (gone?.before === undefined) await deleteRow(hooked, { key, where, alsoDeleted, what });
      else await deletedRow(hooked, gone.before);
    } catch (thrown) {
      throw errorAt(thrown, path);
    }
  }
}

/** Orders rows before the rows of the same deletion that they reference. */
async function inOrder(
  { context }: TreeWrite,
  { target, delete: named }: ChildrenPlan,
  where: Filter | undefined,
): Promise<readonly NamedKey[]> {
  const isOrdered = [...target.relations.values()].some(
    ({ kind, target: other }) => kind === "belongsTo" && other === target.name,
  );
  if (!isOrdered || named.length < 2) return named;
  const keys = named.map(({ key }) => key);
  const filter = await storeFilter(context, target, where);
  const rows = await context.storeOf(target.name).byKeys({ resource: target, keys, filter }, context.deadline);
  const positions = new Map(childrenFirst(target, rows).map((row, index) => [keyToken(keyOf(target, row)), index]));
  const positionOf = ({ key }: NamedKey): number => positions.get(keyToken(key)) ?? 0;
  return named.toSorted((one, other) => positionOf(one) - positionOf(other));
}

async function updateChild(tree: TreeWrite, parent: Row, plan: ChildrenPlan, change: ChildUpdate): Promise<void> {
  const { target, visible } = plan;
  const { key, operation, checked, parts, path } = change;
  const { row: written, decision, byFields } = checked;
  const where = andFilters(visible, decision, isChild(plan, parent));
  const what = `update this ${target.name}`;
  const update = { key, written, where, check: decision, byFields, ifMatch: operation.ifMatch, what };
  const inner: TreeWrite = { ...tree, operation, resource: target };
  const after = await updateRow(inner, update).catch((thrown: unknown) => {
    throw errorAt(thrown, path.slice(0, -1));
  });
  await applyParts(inner, after, parts);
}
