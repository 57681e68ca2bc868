import { BifocalError } from "../../../errors/bifocal-error.ts";
import type { Key, Model, ResourceModel, Row } from "../../../model/model.ts";
import { isSameFields, referenceOf } from "../../../model/reference.ts";
import { andFilters, type Filter } from "../../../operation/filter.ts";
import { type OperationContext, storeOfReferences } from "../../operation-context.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import { nameHolders } from "../deletion/name-holders.ts";
import { lockDeletedReferences } from "./lock-deleted-references.ts";
import { incomingReferences, linkRelations, referencedFields, referencing } from "../deletion/incoming-references.ts";

/** Whether a write may change values by which other rows reference the row: the key, or a referenced unique group. */
export function mayRename(model: Model, resource: ResourceModel, key: Key, set: Row): boolean {
  const parts = Array.isArray(key) ? (key as readonly (string | number)[]) : [key];
  if (resource.key.some((name, index) => set[name] !== undefined && set[name] !== parts[index])) return true;
  return referencedFields(model, resource).some((name) => set[name] !== undefined);
}

/** Rejects a change of values that other rows reference, because their references would break. */
export async function checkRename(
  context: OperationContext,
  resource: ResourceModel,
  before: Row,
  set: Row,
): Promise<void> {
  const after = { ...before, ...set };
  const changed = (fields: readonly string[]): Key | undefined => {
    const value = referenceOf(fields, before);
    const isSame = fields.every((name) => after[name] === before[name]);
    return value === null || isSame ? undefined : value;
  };
  for (const { resource: from, relation } of incomingReferences(context.engine.model, resource)) {
    const value = changed(relation.foreign);
    if (value === undefined) continue;
    const query = { ...referencing(from, relation, value), limit: 1 };
    // Several deleted rows can have the same unique value, so a deleted reference to it may belong to any of them.
    const withDeleted = relation.toKey || resource.softDelete === undefined;
    const find = async (visible?: Filter): Promise<readonly Row[]> => {
      const filter = andFilters(query.filter, visible);
      const store =
        visible === undefined ? storeOfReferences(context, from.name, withDeleted) : context.storeOf(from.name);
      return (await store.list({ ...query, filter }, context.deadline)).rows;
    };
    if ((await find()).length === 0) {
      if (!withDeleted && from.softDelete !== undefined) await lockDeletedReferences(context, from, relation, value);
      continue;
    }
    throw conflict(resource, relation.foreign, await nameHolders(context, from, relation, find));
  }
  for (const relation of linkRelations(context.engine.model, resource)) {
    const value = changed(relation.local);
    if (value === undefined) continue;
    const target = resourceOf(context.engine.model, relation.target);
    const query = { ...referencing(target, relation, value), relation, parents: [value], limit: 1 };
    const find = async (filter?: Filter): Promise<readonly Row[]> => {
      const store = filter === undefined ? storeOfReferences(context, target.name, true) : context.storeOf(target.name);
      const [page] = await store.listPer({ ...query, filter }, context.deadline);
      return page?.rows ?? [];
    };
    if ((await find()).length === 0) continue;
    throw conflict(resource, relation.local, await nameHolders(context, target, relation, find));
  }
}

function conflict({ name, key }: ResourceModel, fields: readonly string[], holders: string): BifocalError {
  const what = isSameFields(fields, key) ? "key" : fields.join(", ");
  return new BifocalError("CONFLICT", `The ${what} of this ${name} can't be changed while ${holders} reference it.`);
}
