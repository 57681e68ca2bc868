import type { FieldModel, InputMode, RelationModel, ResourceModel } from "../../model/model.ts";
import { isWritable, takes } from "../../model/parse/input-parser.ts";
import { offeredNested, offeredRelations, offeredWrites } from "../../model/offered.ts";
import type { Json, JsonObject } from "../../util/json.ts";
import { aggregateSchema } from "./aggregate-schemas.ts";
import { compact, type OpenApiOptions } from "./openapi-types.ts";
import { querySchemas } from "./query-schema.ts";
import { idSchema, nestedSchema } from "./nested-schema.ts";
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
      if (offeredWrites(model, relation).update === 0) continue;
      schemas[nestedName(model, relation, "update")] = childUpdateSchema(options, target, relation);
    }
  }
  if (version === "3.2")
    for (const resource of model.resources.values()) Object.assign(schemas, querySchemas(options, resource));
  for (const resource of model.resources.values())
    if (resource.aggregates.isDeclared) Object.assign(schemas, aggregateSchema(model, resource));
  return { ...schemas, Problem: PROBLEM, ...(described === "all" ? { JsonPatch: JSON_PATCH } : {}) };
}

function representation({ model, described }: Options, resource: ResourceModel): JsonObject {
  const relations = offeredRelations(model, resource).map((relation): [string, Json] => {
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

/** Whether a relation creates a row whose key the fields in question would hold. */
function sets({ kind, local }: RelationModel, isMeant: (field: string) => boolean): boolean {
  return kind === "belongsTo" && local.some(isMeant);
}

function inputSchema(
  { model, described }: Options,
  resource: ResourceModel,
  mode: InputMode,
  decided: readonly string[] = [],
): JsonObject {
  const fields = resource.visibleFields.filter(
    (field) => takes(resource, field, mode) && !decided.includes(field.name),
  );
  const required = fields.filter((field) => isRequired(field, mode)).map(({ name }) => name);
  const nested = offeredNested(model, resource, mode).filter(
    (relation) => !sets(relation, (name) => decided.includes(name)),
  );
  // Requires exactly one of the reference and the nested row.
  const instead = nested.flatMap(({ kind, local, name }): Json[] => {
    if (kind !== "belongsTo") return [];
    const made = { properties: { [name]: { not: { type: "null" } } } };
    if (!local.some((field) => required.includes(field))) {
      const both = local.map((field): Json => ({ not: { required: [field, name], ...made } }));
      return both;
    }
    const own = local.filter((field) => required.includes(field));
    const whole: Json = { required: own };
    const created: Json = { required: [name], ...made };
    const none: Json = { not: { anyOf: local.map((field) => ({ required: [field] })) } };
    return [{ oneOf: [whole, local.length === 1 ? created : { allOf: [created, none] }] }];
  });
  const needed = required.filter((name) => !nested.some((relation) => sets(relation, (field) => field === name)));
  return compact({
    type: "object",
    properties: {
      ...Object.fromEntries(fields.map((field) => [field.name, inputFieldSchema(field, mode, described)])),
      ...Object.fromEntries(nested.map((relation) => [relation.name, nestedSchema(model, relation, mode)])),
    },
    required: needed.length > 0 ? needed : undefined,
    allOf: instead.length > 0 ? instead : undefined,
    additionalProperties: false,
  });
}

/** The changes of a row that is updated together with another row. */
function childUpdateSchema(options: Options, target: ResourceModel, { foreign }: RelationModel): JsonObject {
  const { properties, ...schema } = inputSchema(options, target, "update", foreign);
  const own = { id: idSchema(target), ifMatch: { type: "string" } };
  return { ...schema, properties: { ...own, ...(properties as JsonObject) }, required: ["id"] };
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
