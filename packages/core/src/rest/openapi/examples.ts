import { z } from "zod";
import { coerceWire } from "../../model/coerce.ts";
import type { ActionInputModel, FieldModel, InputMode, ResourceModel } from "../../model/model.ts";
import { storedValue, takes, parseValue } from "../../model/parse/input-parser.ts";
import { resolveShape } from "../../model/shape/resolve-shape.ts";
import type { Side } from "../../model/shape/value-shape.ts";
import type { WireObject, WireType } from "../../model/wire-type.ts";
import { printDecimal } from "../../util/decimal.ts";
import type { Json, JsonObject } from "../../util/json.ts";
import { wireSchema } from "./wire-schema.ts";

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

/** Returns sample values of a type, of which a schema may accept some. */
function candidates(type: WireType): readonly Json[] {
  switch (type.kind) {
    case "enum":
      return type.values;
    case "decimal":
      return NUMBERS.map((value) => printDecimal({ digits: BigInt(value * 10), scale: 1 }, type.scale));
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

interface Examples {
  readonly input: Json | undefined;
  readonly output: Json | undefined;
}

const KNOWN = new WeakMap<FieldModel, Examples>();

/**
 * Returns an example for the input or output of a field: from its `.meta({ examples })`, or a sample value that its
 * schema accepts.
 */
export function fieldExample(field: FieldModel, side: Side): Json | undefined {
  let examples = KNOWN.get(field);
  if (examples === undefined) KNOWN.set(field, (examples = findExamples(field)));
  return examples[side];
}

function findExamples(field: FieldModel): Examples {
  const { schema, input, type } = field;
  const { examples: declared = [] } = (z.globalRegistry.get(schema) ?? {}) as {
    readonly examples?: readonly unknown[];
  };
  const answer = (value: unknown): Json | undefined => attempt(() => coerceWire(type, storedValue(field, value)));
  // zod's examples have the output type.
  const encoded = declared.map(answer).filter((value) => value !== undefined);
  const tried = [...encoded, ...declared, ...candidates(input), ...candidates(type), ...(input.nullable ? [null] : [])];
  const given = tried.find((value) => parse(schema, value) !== undefined) as Json | undefined;
  const output = wireSchema(schema, "output");
  const answered = encoded.find((value) => (value === null ? type.nullable : parse(output, value) !== undefined));
  if (answered !== undefined || given === undefined) return { input: given, output: answered };
  return { input: given, output: answer(parse(schema, given)?.value) };
}

/** Returns an example for the input of an action or a query; undefined if its schema accepts no sample value. */
export function schemaExample({ schema, type }: Pick<ActionInputModel, "schema" | "type">): Json | undefined {
  const { examples: declared = [] } = (z.globalRegistry.get(schema) ?? {}) as {
    readonly examples?: readonly unknown[];
  };
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema instanceof z.ZodObject ? schema.shape : {};
  const ofMembers = type.kind === "object" ? membersExample(type, shape) : undefined;
  const tried = [...declared, ofMembers, ...candidates(type)];
  return tried.find((value) => value !== undefined && parse(schema, value) !== undefined) as Json | undefined;
}

/** Returns an object whose members have samples that their schemas accept. */
function membersExample({ members }: WireObject, shape: Readonly<Record<string, z.core.$ZodType>>): JsonObject {
  const found = members.flatMap(({ name, type }): [string, Json][] => {
    const schema = shape[name];
    const { examples = [] } =
      (schema && (z.globalRegistry.get(schema) as { readonly examples?: readonly Json[] })) ?? {};
    const example = [...examples, ...candidates(type)].find(
      (value) => schema === undefined || parse(schema, value) !== undefined,
    );
    return example === undefined ? [] : [[name, example]];
  });
  return Object.fromEntries(found);
}

const ANY: WireType = { kind: "json", nullable: true };

/** Parses a value in wire form; undefined if the schema rejects it or it isn't JSON. */
function parse(schema: z.core.$ZodType, value: unknown): { readonly value: unknown } | undefined {
  return attempt(() => {
    const input = resolveShape(schema, "input");
    const parsed = parseValue(
      { schema: schema as z.ZodType, input, path: [], what: "" },
      coerceWire(ANY, value),
      "wire",
    );
    return parsed.issues === undefined ? parsed : undefined;
  });
}

/** Schemas contain application code, whose errors must not prevent the document. */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Returns an example row; undefined if a field has no example. */
export function rowExample({ visibleFields }: ResourceModel): JsonObject | undefined {
  return objectOf(visibleFields, "output");
}

/** Returns an example input for a create, replace or update. */
export function inputExample(
  resource: ResourceModel,
  mode: InputMode,
  decided: readonly string[] = [],
): JsonObject | undefined {
  const fields = resource.visibleFields.filter(
    (field) => takes(resource, field, mode) && !decided.includes(field.name),
  );
  return objectOf(mode === "update" ? fields.slice(0, 1) : fields, "input");
}

function objectOf(fields: readonly FieldModel[], side: Side): JsonObject | undefined {
  const members: Record<string, Json> = {};
  for (const field of fields) {
    const example = fieldExample(field, side);
    if (example === undefined) return undefined;
    members[field.name] = example;
  }
  return members;
}
