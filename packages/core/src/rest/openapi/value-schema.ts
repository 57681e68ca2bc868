import type { z } from "zod";
import type { FieldModel } from "../../model/model.ts";
import type { Side } from "../../model/shape/value-shape.ts";
import type { WireObject, WireType } from "../../model/wire-type.ts";
import { decimalPattern } from "../../util/decimal.ts";
import type { JsonObject } from "../../util/json.ts";
import { constraintsOf } from "./constraints.ts";
import { fieldExample } from "./examples.ts";
import { compact } from "./openapi-types.ts";
import { wireSchema } from "./wire-schema.ts";

const SCALARS: Readonly<Record<string, JsonObject>> = {
  string: { type: "string" },
  uuid: { type: "string", format: "uuid" },
  email: { type: "string", format: "email" },
  url: { type: "string", format: "uri" },
  date: { type: "string", format: "date" },
  datetime: { type: "string", format: "date-time" },
  // JSON Schema uses RFC 3339, which has no time of day without an offset and no fractional seconds in durations.
  time: { type: "string" },
  duration: { type: "string" },
  integer: { type: "integer" },
  number: { type: "number" },
  bigint: { type: "string", pattern: "^-?\\d+$" },
  boolean: { type: "boolean" },
  json: {},
};

/** Returns the JSON Schema (2020-12) of a value in wire form. */
export function valueSchema(type: WireType): JsonObject {
  const schema = bareSchema(type);
  if (!type.nullable || type.kind === "json") return schema;
  if (Array.isArray(schema["enum"])) return { ...schema, type: ["string", "null"], enum: [...schema["enum"], null] };
  return typeof schema["type"] === "string" ? { ...schema, type: [schema["type"], "null"] } : schema;
}

function bareSchema(type: WireType): JsonObject {
  switch (type.kind) {
    case "decimal":
      return { type: "string", format: "decimal", pattern: decimalPattern(type) };
    case "enum":
      return { type: "string", enum: [...type.values] };
    case "list":
      return { type: "array", items: valueSchema(type.item) };
    case "object":
      return objectSchema(type);
    default:
      return SCALARS[type.kind] ?? {};
  }
}

function objectSchema({ members }: WireObject): JsonObject {
  const required = members.filter(({ optional }) => !optional).map(({ name }) => name);
  return compact({
    type: "object",
    properties: Object.fromEntries(
      members.map(({ name, type, description, deprecated }) => [
        name,
        compact({ ...valueSchema(type), description, deprecated: deprecated === undefined ? undefined : true }),
      ]),
    ),
    required: required.length > 0 ? required : undefined,
    additionalProperties: false,
  });
}

/** Returns the JSON Schema of an input, with the constraints of its zod schema on members and items at every depth. */
export function inputSchema(schema: z.core.$ZodType, type: WireType): JsonObject {
  const described = { ...valueSchema(type), ...constraintsOf(schema, type, "input") };
  const { def } = (wireSchema(schema, "input") as z.core.$ZodTypes)._zod;
  if (type.kind === "list" && def.type === "array") return { ...described, items: inputSchema(def.element, type.item) };
  if (type.kind !== "object" || def.type !== "object") return described;
  const properties = { ...(described["properties"] as JsonObject) };
  for (const { name, type: member } of type.members) {
    const own = def.shape[name];
    if (own !== undefined) properties[name] = { ...(properties[name] as JsonObject), ...inputSchema(own, member) };
  }
  return { ...described, properties };
}

/** Returns the JSON Schema of a field, with the constraints of its zod schema. */
export function fieldSchema(field: FieldModel, side: Side): JsonObject {
  const type = side === "input" ? field.input : field.type;
  const example = fieldExample(field, side);
  return compact({
    ...(side === "input"
      ? inputSchema(field.schema, type)
      : { ...valueSchema(type), ...constraintsOf(field.schema, type, side) }),
    description: field.description,
    deprecated: field.deprecated === undefined ? undefined : true,
    readOnly: side === "output" && (!field.writable || field.write.kind === "deny") ? true : undefined,
    default: side === "input" ? field.default : undefined,
    examples: example === undefined ? undefined : [example],
  });
}
