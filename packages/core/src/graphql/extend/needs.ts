import { type GraphQLField, type GraphQLSchema, isObjectType } from "graphql";
import type { ResourceModel } from "../../model/model.ts";

/** Key in a field's `extensions` for the fields of the row that it needs. */
const EXTENSION = "bifocal";

/** Returns the names that a field declares, or undefined unless it declares a list of names. */
export function declaredNeeds(
  field: Pick<GraphQLField<unknown, unknown>, "extensions">,
): readonly string[] | undefined {
  const declared = field.extensions[EXTENSION] as { readonly needs?: unknown } | undefined;
  const needs = declared?.needs;
  return Array.isArray(needs) && needs.every((name) => typeof name === "string") ? needs : undefined;
}

export function withNeeds(field: GraphQLField<unknown, unknown>, needs: readonly string[]): void {
  field.extensions = { ...field.extensions, [EXTENSION]: { needs } };
}

/** Returns the fields of the row that a host's field on a derived type needs. The key is always included. */
export function needsOf(schema: GraphQLSchema, resource: ResourceModel, name: string): readonly string[] {
  const type = schema.getType(resource.typeName);
  const field = isObjectType(type) ? type.getFields()[name] : undefined;
  return field === undefined ? [] : [...resource.key, ...(declaredNeeds(field) ?? [])];
}
