import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  GraphQLID,
  GraphQLNonNull,
  type GraphQLOutputType,
} from "graphql";
import type { ActionModel, ResourceModel } from "../../model/model.ts";
import { offeredActions } from "../../model/offered.ts";
import { resolveAction } from "../resolve-mutation.ts";
import { capitalize } from "./names.ts";
import { writtenType } from "./mutation-fields.ts";
import type { SchemaTypes } from "./schema-types.ts";
import { nonNull, nonNullInput } from "./value-types.ts";

type Field = readonly [string, GraphQLFieldConfig<unknown, unknown>];

/**
 * Creates `publishBook(id, input)` for an action on one row, and `importBooks(input)` for an action on the resource.
 */
export function actionFields(types: SchemaTypes, resource: ResourceModel): readonly Field[] {
  return offeredActions(resource).map((action) => {
    const name = actionFieldName(resource, action);
    const args: GraphQLFieldConfigArgumentMap = {};
    if (action.on === "item") args["id"] = { type: new GraphQLNonNull(GraphQLID) };
    if (action.input !== undefined) {
      const { type, optional } = action.input;
      args["input"] = { type: nonNullInput(types.input(type, capitalize(name)), type.nullable || optional) };
    }
    const config: GraphQLFieldConfig<unknown, unknown> = {
      type: answerType(types, resource, action, capitalize(name)),
      description: action.description ?? null,
      deprecationReason: action.deprecated ?? resource.deprecated ?? null,
      args,
      resolve: resolveAction({ model: types.model, resource, limits: types.limits, ids: types.ids }, action),
    };
    return [name, config];
  });
}

export function actionFieldName(
  { typeName, pluralTypeName }: Pick<ResourceModel, "typeName" | "pluralTypeName">,
  { name, on }: Pick<ActionModel, "name" | "on">,
): string {
  return name + (on === "item" ? typeName : pluralTypeName);
}

/**
 * Returns the type of the action's `output`. Without an `output`, returns the type of the row, or Boolean for an action
 * on the resource.
 */
function answerType(types: SchemaTypes, resource: ResourceModel, action: ActionModel, name: string): GraphQLOutputType {
  if (action.output !== undefined) {
    return nonNull(types.output(action.output.type, `${name}Output`), action.output.type.nullable);
  }
  return action.on === "item" ? writtenType(types, resource) : new GraphQLNonNull(GraphQLBoolean);
}
