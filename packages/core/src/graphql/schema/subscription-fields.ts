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

/** The changes of each field, and the words for them. `bookChanged` sends all of them in their order. */
const FIELDS = {
  Created: { kinds: ["created"], words: "created" },
  Updated: { kinds: ["updated"], words: "updated" },
  Deleted: { kinds: ["deleted"], words: "deleted" },
  Changed: { kinds: ["created", "updated", "deleted"], words: "created, updated or deleted" },
} as const;

/**
 * Creates `bookCreated`, `bookUpdated`, `bookDeleted` and `bookChanged`, if the resource offers `watch`.
 */
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
  return Object.entries(FIELDS).map(([name, { kinds, words }]) => {
    const config: GraphQLFieldConfig<Change, unknown> = {
      type: new GraphQLNonNull(types.resource(resource)),
      description: `Sends each ${resource.typeName} that you are allowed to read when it is ${words}.`,
      deprecationReason: resource.deprecated ?? null,
      args: { ...(name === "Created" ? filtered : single), ...(name === "Deleted" ? {} : initial), ...after },
      subscribe: subscribeTo(target, kinds),
      resolve: resolveChange(target),
    };
    return [resource.name + name, config];
  });
}
