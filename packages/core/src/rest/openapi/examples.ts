import { z } from "zod";
import type { FieldModel, InputMode, ResourceModel } from "../../model/model.ts";
import { isWritable } from "../../model/parse/input-parser.ts";
import { parseValue } from "../../model/parse/parse-value.ts";
import { resolveShape } from "../../model/shape/resolve-shape.ts";
import type { WireType } from "../../model/wire-type.ts";
import type { Json, JsonObject } from "../../util/json.ts";

const TEXTS = ["text", "a text", "a-text", "A", "AB1", "0", "A text of some length, as it would be written."];
const NUMBERS = [1, 10, 100, 0, 0.5, -1, 1_000];

const SCALARS: Readonly<Record<string, readonly Json[]>> = {
  string: TEXTS,
  uuid: ["3f2504e0-4f89-41d3-9a0c-0305e82c3301"],
  email: ["ann@example.com"],
  url: ["https://example.com/"],
  date: ["2026-01-31"],
  datetime: ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000Z", "2026-01-31T12:00:00"],
  time: ["12:00:00", "12:00"],
  duration: ["P1D"],
  integer: NUMBERS.filter(Number.isInteger),
  number: [9.5, ...NUMBERS],
  bigint: ["1", "0"],
  boolean: [true, false],
  json: [{}],
};

/** Values of a type, one of which may be what a schema takes. */
function candidates(type: WireType): readonly Json[] {
  switch (type.kind) {
    case "enum":
      return type.values;
    case "list":
      return [candidates(type.item).slice(0, 1), candidates(type.item).slice(0, 2), []];
    case "object": {
      const members = type.members.map(({ name, type: inner }) => [name, candidates(inner)[0] ?? null] as const);
      return [Object.fromEntries(members)];
    }
    default:
      return SCALARS[type.kind] ?? [];
  }
}

const KNOWN = new WeakMap<FieldModel, Json | undefined>();

/** A value that the schema of a field takes: what its `.meta({ examples })` says, or one that was tried. */
export function fieldExample(field: FieldModel): Json | undefined {
  if (!KNOWN.has(field)) KNOWN.set(field, findExample(field));
  return KNOWN.get(field);
}

function findExample({ schema, input, type }: FieldModel): Json | undefined {
  const { examples } = (z.globalRegistry.get(schema) ?? {}) as { readonly examples?: readonly Json[] };
  const shape = resolveShape(schema, "input");
  const isTaken = (value: Json): boolean => {
    const parsed = parseValue({ schema, input: shape, path: [], what: "" }, value, "wire");
    return parsed.issues === undefined;
  };
  const tried = [...(examples ?? []), ...candidates(input), ...candidates(type), ...(input.nullable ? [null] : [])];
  return tried.find(isTaken);
}

/** A whole row; undefined where no example of one of its fields is known. */
export function rowExample({ visibleFields }: ResourceModel): JsonObject | undefined {
  return objectOf(visibleFields);
}

/** What a create, replace or update could send. */
export function inputExample(resource: ResourceModel, mode: InputMode, decided?: string): JsonObject | undefined {
  const fields = resource.visibleFields.filter((field) => isWritable(field, mode) && field.name !== decided);
  return objectOf(mode === "update" ? fields.slice(0, 1) : fields);
}

function objectOf(fields: readonly FieldModel[]): JsonObject | undefined {
  const members: Record<string, Json> = {};
  for (const field of fields) {
    const example = fieldExample(field);
    if (example === undefined) return undefined;
    members[field.name] = example;
  }
  return members;
}
