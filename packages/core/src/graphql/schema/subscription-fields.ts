import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  GraphQLID,
  GraphQLNonNull,
  GraphQLString,
} from "graphql";
import type { ResourceModel } from "../../model/model.ts";
import type { Change } from "../../operation/outcome.ts";
import { resolveChange, subscribeTo } from "../resolve-subscription.ts";
import type { SchemaTypes } from "./schema-types.ts";

type Field = readonly [string, GraphQLFieldConfig<Change, unknown>];

/** Creates `bookCreated`, `bookUpdated` and `bookDeleted`, if the resource offers `watch`. */
export function subscriptionFields(types: SchemaTypes, resource: ResourceModel): readonly Field[] {
  if (!resource.operations.graphql.watch) return [];
  const target = { model: types.model, resource, limits: types.limits, ids: types.ids };
  const filter = types.filter(resource);
  const filtered: GraphQLFieldConfigArgumentMap = filter === undefined ? {} : { filter: { type: filter } };
  const single: GraphQLFieldConfigArgumentMap = {
    id: { type: GraphQLID, description: "Only the row with this id." },
    ...filtered,
  };
  const description = `Sends the existing rows first, at most ${resource.page.max}. Default: false.`;
  const initial: GraphQLFieldConfigArgumentMap = { initial: { type: GraphQLBoolean, description } };
  const after: GraphQLFieldConfigArgumentMap = {
    after: {
      type: GraphQLString,
      description: "Resumes after this event: the `eventId` in the extensions of its result.",
    },
  };
  return (["created", "updated", "deleted"] as const).map((kind) => {
    const config: GraphQLFieldConfig<Change, unknown> = {
      type: new GraphQLNonNull(types.resource(resource)),
      description: `Sends each ${resource.typeName} that you are allowed to read when it is ${kind}.`,
      deprecationReason: resource.deprecated ?? null,
      args: { ...(kind === "created" ? filtered : single), ...(kind === "deleted" ? {} : initial), ...after },
      subscribe: subscribeTo(target, kind),
      resolve: resolveChange(target),
    };
    return [`${resource.name}${kind.charAt(0).toUpperCase()}${kind.slice(1)}`, config];
  });
}
