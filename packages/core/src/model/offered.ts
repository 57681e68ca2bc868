import { linkRules } from "./link-rules.ts";
import type {
  ActionModel,
  GroupModel,
  InputMode,
  Model,
  OfferedOperations,
  QueryModel,
  RelationModel,
  ResourceModel,
} from "./model.ts";
import { hasWrites, type StoreWrites } from "./store-writes.ts";
import { resourceOf } from "./resource-of.ts";

/** Returns the operations of a style that the resource's store supports. */
export function supportedOperations(
  offered: OfferedOperations,
  { upsert }: Pick<ResourceModel, "upsert">,
  writes: StoreWrites,
): OfferedOperations {
  return {
    ...offered,
    create: offered.create && writes.create,
    createMany: offered.createMany && writes.create,
    // With upserts, a replacement creates a missing row.
    replace: offered.replace && (writes.update || (upsert && writes.create)),
    update: offered.update && writes.update,
    updateMany: offered.updateMany && writes.update,
    delete: offered.delete && writes.delete,
    deleteMany: offered.deleteMany && writes.delete,
    link: offered.link && hasWrites(writes),
    unlink: offered.unlink && hasWrites(writes),
  };
}

/** Returns the values that rows can be grouped by, but not those along relations that are denied to everyone. */
export function offeredGroups(model: Model, { aggregates, relations }: ResourceModel): readonly GroupModel[] {
  return [...aggregates.groups.values()].filter(({ relation }) => {
    const followed = relation === undefined ? undefined : relations.get(relation);
    return followed === undefined || isOfferedRelation(model, followed);
  });
}

/** Returns the actions that the styles offer: those that aren't denied to everyone. */
export function offeredActions({ actions, access }: ResourceModel): readonly ActionModel[] {
  const isItemReadable = access.read.kind !== "deny";
  return [...actions.values()].filter(
    (action) => action.access.kind !== "deny" && (action.on === "collection" || isItemReadable),
  );
}

/** Returns the queries that a style offers: those that aren't denied to everyone. Most of them need rows that can be read. */
export function offeredQueries(
  { queries, access, operations }: ResourceModel,
  style: keyof ResourceModel["operations"],
): readonly QueryModel[] {
  if (!operations[style].query) return [];
  const isReadable = access.read.kind !== "deny";
  return [...queries.values()].filter(
    ({ access: rule, on, output }) =>
      rule.kind !== "deny" && (isReadable || (on === "collection" && output !== undefined)),
  );
}

/**
 * Returns the resources that the styles show: those that offer anything, and those whose rows can be read or written
 * along their relations.
 */
export function offeredResources(model: Model): ReadonlySet<ResourceModel> {
  const found = new Set([...model.resources.values()].filter(isOffered));
  // Resources that are added here are visited too.
  for (const resource of found) {
    const along = [
      ...offeredRelations(model, resource),
      ...offeredNested(model, resource, "create"),
      ...offeredNested(model, resource, "update"),
    ];
    for (const { target } of along) found.add(resourceOf(model, target));
  }
  return found;
}

function isOffered(resource: ResourceModel): boolean {
  if (offeredActions(resource).length > 0) return true;
  return (["rest", "graphql"] as const).some((style) => {
    const isOperable = Object.entries(resource.operations[style]).some(([name, can]) => can && name !== "query");
    return isOperable || offeredQueries(resource, style).length > 0;
  });
}

/** Returns the relations that the styles offer: those whose rows aren't denied to everyone. */
export function offeredRelations(model: Model, { relations }: ResourceModel): readonly RelationModel[] {
  return [...relations.values()].filter((relation) => isOfferedRelation(model, relation));
}

export function isOfferedRelation(model: Model, { read, target }: RelationModel): boolean {
  return read.kind !== "deny" && resourceOf(model, target).access.read.kind !== "deny";
}

/** Whether links along a relation aren't denied to everyone. The rules of both sides apply. */
export function isLinkable(model: Model, relation: RelationModel): boolean {
  const isDenied = linkRules(model, relation).some((rule) => rule.relation.link.kind === "deny");
  return relation.through !== undefined && !isDenied && resourceOf(model, relation.target).access.read.kind !== "deny";
}

/** Whether callers can write the fields of a reference. The server sets others, such as the tenant. */
export function isReferenceWritable(model: Model, relation: RelationModel): boolean {
  const isHolder = relation.kind === "belongsTo";
  const { fields } = resourceOf(model, isHolder ? relation.source : relation.target);
  return (isHolder ? relation.local : relation.foreign).every((name) => fields.get(name)?.writable === true);
}

/**
 * Returns the relations whose rows or links an input of a mode can write, except those denied to everyone. The relation
 * declares it, so it doesn't need the operations of the target.
 */
export function offeredNested(
  model: Model,
  { nested }: Pick<ResourceModel, "nested">,
  mode: InputMode,
): readonly RelationModel[] {
  return nested[mode].filter((relation) => {
    if (relation.kind === "manyToMany") return isLinkable(model, relation);
    if (mode === "create") return resourceOf(model, relation.target).access.create.kind !== "deny";
    return Object.values(offeredWrites(model, relation)).some((most) => most > 0);
  });
}

/** Returns how many rows along a relation an update can write; 0 for writes that are denied to everyone. */
export function offeredWrites(model: Model, { writes, target }: RelationModel): RelationModel["writes"] {
  const { access } = resourceOf(model, target);
  const isRead = access.read.kind !== "deny";
  return {
    create: access.create.kind === "deny" ? 0 : writes.create,
    update: access.update.kind === "deny" || !isRead ? 0 : writes.update,
    delete: access.delete.kind === "deny" || !isRead ? 0 : writes.delete,
  };
}
