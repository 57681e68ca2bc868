import type { FieldModel, InputMode, Model, RelationModel, ResourceModel } from "../../model/model.ts";
import { offeredWrites } from "../../model/offered.ts";
import { resourceOf } from "../../model/resource-of.ts";
import type { JsonObject } from "../../util/json.ts";
import { ref } from "./openapi-types.ts";
import { nestedName } from "./schema-names.ts";
import { fieldSchema } from "./value-schema.ts";

/** Describes the part of an input that writes related rows or links. */
export function nestedSchema(model: Model, relation: RelationModel, mode: InputMode): JsonObject {
  if (relation.kind === "manyToMany") return linksSchema(model, relation, mode);
  if (mode === "update") return childrenSchema(model, relation);
  const inner = ref("schemas", nestedName(model, relation));
  if (!relation.many) return { anyOf: [inner, { type: "null" }] };
  return { type: ["array", "null"], items: inner, maxItems: relation.creates };
}

function linksSchema(model: Model, { target, links, name }: RelationModel, mode: InputMode): JsonObject {
  const items = idSchema(resourceOf(model, target));
  const ids = { type: "array", items, maxItems: links, uniqueItems: true };
  if (mode !== "update") return { ...ids, description: `The ids of all linked rows.` };
  const changes = { type: "object", properties: { add: ids, remove: ids }, additionalProperties: false };
  return { anyOf: [ids, changes], description: `A list sets the ${name}. An object adds and removes some.` };
}

function childrenSchema(model: Model, relation: RelationModel): JsonObject {
  const { target, name } = relation;
  const writes = offeredWrites(model, relation);
  const list = (items: JsonObject, maxItems: number): JsonObject => ({ type: "array", items, maxItems });
  return {
    type: "object",
    description: `Changes of the ${name}. Other rows stay unchanged.`,
    properties: {
      ...(writes.create > 0 ? { create: list(ref("schemas", nestedName(model, relation)), writes.create) } : {}),
      ...(writes.update > 0
        ? { update: list(ref("schemas", nestedName(model, relation, "update")), writes.update) }
        : {}),
      ...(writes.delete > 0 ? { delete: list(idSchema(resourceOf(model, target)), writes.delete) } : {}),
    },
    additionalProperties: false,
  };
}

/** Describes an id in an input: the value of the key, or its text if the key has several fields. */
export function idSchema({ key, fields }: ResourceModel): JsonObject {
  const [only] = key;
  return key.length === 1 ? fieldSchema(fields.get(only as string) as FieldModel, "output") : { type: "string" };
}
