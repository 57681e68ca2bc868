import type { FieldModel, InputMode, Model, RelationModel, ResourceModel } from "../../model/model.ts";
import { isWritable, takes } from "../../model/parse/input-parser.ts";
import type { Json, JsonObject } from "../../util/json.ts";
import { compact, type OpenApiOptions, ref } from "./openapi-types.ts";
import { querySchemas } from "./query-schema.ts";
import { nestedName, schemaName, schemaRef } from "./schema-names.ts";
import { fieldSchema } from "./value-schema.ts";

type Options = Pick<OpenApiOptions, "model" | "version" | "described">;

/** Returns `Book`, `CreateBook`, `ReplaceBook` and `UpdateBook` for every resource, and `Problem`. */
export function componentSchemas(options: Options): JsonObject {
  const { model, version, described } = options;
  const schemas: Record<string, Json> = {};
  for (const resource of model.resources.values()) {
    schemas[schemaName(model, resource, "row")] = representation(options, resource);
    for (const mode of ["create", "replace", "update"] as const) {
      schemas[schemaName(model, resource, mode)] = inputSchema(options, resource, mode);
    }
    for (const relation of resource.relations.values()) {
      if (relation.kind !== "hasMany" && relation.kind !== "hasOne") continue;
      const target = model.resources.get(relation.target) as ResourceModel;
      schemas[nestedName(model, relation)] = inputSchema(options, target, "create", relation.foreign);
    }
  }
  if (version === "3.2")
    for (const resource of model.resources.values()) Object.assign(schemas, querySchemas(options, resource));
  return { ...schemas, Problem: PROBLEM, ...(described === "all" ? { JsonPatch: JSON_PATCH } : {}) };
}

function representation({ model, described }: Options, resource: ResourceModel): JsonObject {
  const relations = [...resource.relations.values()].map((relation): [string, Json] => {
    const far = model.resources.get(relation.target) as ResourceModel;
    const target = schemaRef(model, far);
    const description = "Only if the request includes it.";
    if (relation.many) return [relation.name, { type: "array", items: target, description }];
    const isAlwaysRead = far.access.read.kind === "allow" && relation.read.kind === "allow";
    if (isAlwaysRead && !relation.nullable) return [relation.name, { ...target, description }];
    return [relation.name, { anyOf: [target, { type: "null" }], description }];
  });
  // With `fields`, any field can be missing. Other fields can be hidden from the caller.
  const present = resource.visibleFields.filter(({ read }) => described === "json" && read.kind === "allow");
  return compact({
    type: "object",
    description: resource.description,
    deprecated: resource.deprecated === undefined ? undefined : true,
    properties: {
      ...Object.fromEntries(resource.visibleFields.map((field) => [field.name, fieldSchema(field, "output")])),
      ...Object.fromEntries(relations),
    },
    required: present.length > 0 ? present.map(({ name }) => name) : undefined,
  });
}

function inputSchema(
  { model, described }: Options,
  resource: ResourceModel,
  mode: InputMode,
  decided?: string,
): JsonObject {
  const fields = resource.visibleFields.filter((field) => takes(resource, field, mode) && field.name !== decided);
  const required = fields.filter((field) => isRequired(field, mode)).map(({ name }) => name);
  const nested =
    mode === "create" ? resource.nested.filter(({ kind, local }) => kind !== "belongsTo" || local !== decided) : [];
  // Requires exactly one of the foreign key and the nested row.
  const instead = nested.flatMap(({ kind, local, name }): Json[] => {
    if (kind !== "belongsTo") return [];
    const made = { properties: { [name]: { not: { type: "null" } } } };
    if (!required.includes(local)) return [{ not: { required: [local, name], ...made } }];
    return [{ oneOf: [{ required: [local] }, { required: [name], ...made }] }];
  });
  const needed = required.filter((name) => !nested.some(({ kind, local }) => kind === "belongsTo" && local === name));
  return compact({
    type: "object",
    properties: {
      ...Object.fromEntries(fields.map((field) => [field.name, inputFieldSchema(field, mode, described)])),
      ...Object.fromEntries(nested.map((relation) => [relation.name, nestedSchema(model, relation)])),
    },
    required: needed.length > 0 ? needed : undefined,
    allOf: instead.length > 0 ? instead : undefined,
    additionalProperties: false,
  });
}

/**
 * Only a create fills in defaults. Several generators make a property with a `default` mandatory, so the JSON document
 * states the default in the description only.
 */
function inputFieldSchema(field: FieldModel, mode: InputMode, described: Options["described"]): JsonObject {
  const schema = fieldSchema(field, "input");
  if (field.default === undefined || (mode === "create" && described === "all")) return schema;
  const { default: value, ...written } = schema;
  if (mode !== "create") return written;
  const { description, ...others } = written;
  const stated = `Default: ${JSON.stringify(value)}.`;
  return { ...others, description: description === undefined ? stated : `${description as string} ${stated}` };
}

function nestedSchema(model: Model, relation: RelationModel): JsonObject {
  const inner = ref("schemas", nestedName(model, relation));
  if (!relation.many) return { anyOf: [inner, { type: "null" }] };
  return { type: ["array", "null"], items: inner, maxItems: relation.creates };
}

function isRequired(field: FieldModel, mode: InputMode): boolean {
  return (
    (mode === "replace" && isWritable(field, mode) && !field.filledByHook) || (mode === "create" && field.required)
  );
}

/** RFC 6902 §4. */
const JSON_PATCH: JsonObject = {
  type: "array",
  items: {
    type: "object",
    properties: {
      op: { type: "string", enum: ["add", "remove", "replace", "move", "copy", "test"] },
      path: { type: "string", format: "json-pointer" },
      from: { type: "string", format: "json-pointer" },
      value: {},
    },
    required: ["op", "path"],
  },
};

/** RFC 9457, extended by a code and the issues of an input. */
const PROBLEM: JsonObject = {
  type: "object",
  properties: {
    type: { type: "string", format: "uri" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    instance: { type: "string" },
    code: { type: "string" },
    requestId: { type: "string" },
    errors: {
      type: "array",
      items: {
        type: "object",
        properties: {
          path: { type: "array", items: { type: ["string", "integer"] } },
          message: { type: "string" },
          code: { type: "string" },
        },
        required: ["path", "message", "code"],
      },
    },
  },
  required: ["type", "title", "status", "code"],
};
