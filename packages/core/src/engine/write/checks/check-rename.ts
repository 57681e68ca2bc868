import { BifocalError } from "../../../errors/bifocal-error.ts";
import type { Key, ResourceModel, Row } from "../../../model/model.ts";
import { andFilters, type Filter } from "../../../operation/filter.ts";
import type { OperationContext } from "../../operation-context.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import { nameHolders } from "../deletion/name-holders.ts";
import { incomingReferences, linkRelations, referencing } from "../deletion/incoming-references.ts";

/** Whether a write changes the key. */
export function isRename(resource: ResourceModel, key: Key, set: Row): boolean {
  const parts = Array.isArray(key) ? (key as readonly (string | number)[]) : [key];
  return resource.key.some((name, index) => set[name] !== undefined && set[name] !== parts[index]);
}

/** Rejects the change of a key that other rows reference, because their references would break. */
export async function checkRename(context: OperationContext, resource: ResourceModel, key: Key): Promise<void> {
  if (Array.isArray(key)) return;
  const value = key as string | number;
  for (const { resource: from, relation } of incomingReferences(context.engine.model, resource)) {
    const query = { ...referencing(from, relation, value), limit: 1 };
    const find = async (visible?: Filter): Promise<readonly Row[]> => {
      const filter = andFilters(query.filter, visible);
      return (await context.storeOf(from.name).list({ ...query, filter }, context.deadline)).rows;
    };
    if ((await find()).length > 0) throw conflict(resource, await nameHolders(context, from, relation, find));
  }
  for (const relation of linkRelations(context.engine.model, resource)) {
    const target = resourceOf(context.engine.model, relation.target);
    const query = { ...referencing(target, relation, value), relation, parents: [value], limit: 1 };
    const find = async (filter?: Filter): Promise<readonly Row[]> => {
      const [page] = await context.storeOf(target.name).listPer({ ...query, filter }, context.deadline);
      return page?.rows ?? [];
    };
    if ((await find()).length > 0) throw conflict(resource, await nameHolders(context, target, relation, find));
  }
}

function conflict(resource: ResourceModel, holders: string): BifocalError {
  return new BifocalError(
    "CONFLICT",
    `The key of this ${resource.name} can't be changed while ${holders} reference it.`,
  );
}
