import { expect, it } from "vitest";
import { z } from "zod";
import { formatOfChecks, rangeOfChecks } from "./plain-checks.ts";

const custom = z.string();
custom._zod.toJSONSchema = () => ({ type: "string", format: "uuid" });

const texts: Readonly<Record<string, z.ZodType>> = {
  plain: z.string(),
  bounded: z.string().min(1).max(200).length(7),
  trimmed: z.string().trim().toLowerCase(),
  refined: z.string().refine((text) => text !== "x"),
  pattern: z.string().regex(/^a/),
  "two patterns": z.string().regex(/^a/).regex(/b$/),
  uuid: z.uuid(),
  guid: z.guid(),
  email: z.email(),
  "email as check": z.string().check(z.email()),
  "described uuid": z.uuid().describe("a key"),
  "bounded email": z.email().max(50),
  url: z.url(),
  date: z.iso.date(),
  datetime: z.iso.datetime(),
  "local datetime": z.iso.datetime({ local: true }),
  time: z.iso.time(),
  duration: z.iso.duration(),
  base64: z.base64(),
  ulid: z.ulid(),
  "starts with": z.string().startsWith("a"),
  "uuid with pattern": z.uuid().regex(/^a/),
  "email with uuid": z.email().check(z.uuid()),
  "format in metadata": z.string().meta({ format: "email" }),
  "other format in metadata": z.uuid().meta({ format: "date" }),
  "format in the metadata of a parent": z.string().meta({ format: "email" }).describe("an address"),
  "own JSON Schema": custom,
  coerced: z.coerce.string(),
  literal: z.templateLiteral(["a", z.number()]),
};

it.each(Object.entries(texts))("returns the format of zod's JSON Schema, or none: %s", (_, schema) => {
  expect([undefined, jsonSchema(schema).format ?? ""]).toContain(formatOfChecks(schema));
});

const numbers: Readonly<Record<string, z.ZodType>> = {
  plain: z.number(),
  bounded: z.number().min(1).max(5),
  int: z.int(),
  int32: z.int32(),
  uint32: z.uint32(),
  float: z.float32(),
  "int as check": z.number().int(),
  "bounded int": z.int().min(1).max(5),
  "exclusive bounds": z.int().gt(1).lt(5),
  "both kinds of bounds": z.int().gt(1).min(1).lt(5).max(9),
  "several bounds": z.int().min(1).min(4).max(9).max(5),
  multiple: z.int32().multipleOf(2),
  refined: z.int32().refine((value) => value !== 3),
  described: z.int32().describe("a year"),
  "int and float": z.int().check(z.float64()),
  "two formats": z.int().check(z.int32()),
  "bound in metadata": z.int().meta({ minimum: 0, maximum: 9 }),
  coerced: z.coerce.number().int(),
};

it.each(Object.entries(numbers))("returns the range of zod's JSON Schema, or none: %s", (_, schema) => {
  const { type, minimum = -Infinity, maximum = Infinity, exclusiveMinimum, exclusiveMaximum } = jsonSchema(schema);
  const range = {
    least: Math.max(minimum, Number(exclusiveMinimum ?? -Infinity)),
    most: Math.min(maximum, Number(exclusiveMaximum ?? Infinity)),
  };
  expect([undefined, type === "integer" ? range : null]).toContainEqual(rangeOfChecks(schema));
});

it("decides the common schemas without zod's conversion", () => {
  const schemas = ["plain", "bounded", "trimmed", "refined", "pattern", "uuid", "email", "described uuid"];
  expect(schemas.map((name) => formatOfChecks(texts[name] as z.ZodType))).not.toContain(undefined);
  const integers = ["plain", "bounded", "int", "int32", "int as check", "bounded int", "multiple", "refined"];
  expect(integers.map((name) => rangeOfChecks(numbers[name] as z.ZodType))).not.toContain(undefined);
});

it("leaves schemas with other formats or metadata to zod", () => {
  const schemas = ["url", "date", "email with uuid", "format in metadata", "own JSON Schema", "literal"];
  expect(schemas.map((name) => formatOfChecks(texts[name] as z.ZodType))).toEqual(schemas.map(() => undefined));
  const integers = ["float", "two formats", "bound in metadata"];
  expect(integers.map((name) => rangeOfChecks(numbers[name] as z.ZodType))).toEqual(integers.map(() => undefined));
});

function jsonSchema(schema: z.ZodType): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
}
