import { type GraphQLField, type GraphQLSchema, isObjectType } from "graphql";
import type { ResourceModel } from "../../model/model.ts";

/** Under this key of a field's `extensions` stands what it needs of the row. */
const EXTENSION = "bifocal";

/** The names that the field declares; undefined where it declares nothing that is a list of names. */
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

/** What a field that a host added to a derived type needs of the row; the key always. */
export function needsOf(schema: GraphQLSchema, resource: ResourceModel, name: string): readonly string[] {
  const type = schema.getType(resource.typeName);
  const field = isObjectType(type) ? type.getFields()[name] : undefined;
  return field === undefined ? [] : [...resource.key, ...(declaredNeeds(field) ?? [])];
}
