import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { passesPlainRule, plainRule } from "./plain-rule.ts";

const size = fc.integer({ min: 0, max: 6 });
const bound = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ min: -5, max: 5, noNaN: true }));

const text: fc.Arbitrary<z.ZodType> = fc.oneof(
  fc.tuple(size, size).map(([least, most]) => z.string().min(least).max(most)),
  size.map((least) => z.string().min(least)),
  size.map((length) => z.string().length(length)),
  fc.constantFrom(
    z.string(),
    z.string().regex(/^a/g),
    z.string().regex(/a/y).min(2),
    z.uuid(),
    z.uuidv4(),
    z.guid(),
    z.email(),
    z.url(),
    z.iso.date(),
    z.string().trim(),
    z.string().toLowerCase(),
    z.string().includes("a"),
    z.string().refine((value) => value !== "aa"),
    z.coerce.string(),
  ),
);
const number: fc.Arbitrary<z.ZodType> = fc.oneof(
  fc.tuple(bound, bound).map(([least, most]) => z.number().min(least).lt(most)),
  fc.tuple(bound, bound).map(([least, most]) => z.int32().gt(least).max(most)),
  fc.constantFrom(
    z.number(),
    z.int(),
    z.int32(),
    z.uint32(),
    z.float32(),
    z.number().int().positive(),
    z.number().multipleOf(2),
    z.coerce.number(),
  ),
);
const others = fc.constantFrom<z.ZodType>(
  z.boolean(),
  z.coerce.boolean(),
  z.enum(["a", "b"]),
  z.literal(["a", 1, true, null, undefined]),
  z.bigint(),
  z.date(),
  z.string().transform((value) => value.length),
  z.string().pipe(z.string().max(1)),
  z.preprocess((value) => value ?? "a", z.string()),
  z.string().catch("a"),
);
const list: fc.Arbitrary<z.ZodType> = fc
  .tuple(fc.oneof(text, number, others), size, size)
  .chain(([item, least, most]) =>
    fc.constantFrom<z.ZodType>(
      z.array(item),
      z.array(item).min(least),
      z.array(item).max(most),
      z.array(item).length(least),
      z.array(item).nonempty(),
      z.array(item.nullable()),
      z.array(item.optional()),
      z.array(z.array(item)),
      z.array(item).refine((items) => items.length !== 1),
    ),
  );
const schema = fc
  .tuple(
    fc.oneof(text, number, others, list),
    fc.array(fc.constantFrom("nullable", "optional", "default", "readonly", "nonoptional", "prefault", "describe"), {
      maxLength: 3,
    }),
  )
  .map(([inner, around]) => around.reduce(wrap, inner));

function wrap(inner: z.ZodType, kind: string): z.ZodType {
  switch (kind) {
    case "nullable":
      return inner.nullable();
    case "optional":
      return inner.optional();
    case "default":
      return inner.default("b" as never);
    case "readonly":
      return inner.readonly();
    case "nonoptional":
      return z.nonoptional(inner);
    case "prefault":
      return inner.prefault("b" as never);
    default:
      return inner.describe("What it is.");
  }
}

const scalar = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, true, false, "a", "b", "aa", " a ", "A", "", "😀", "😀😀", "x@example.com"),
  fc.string({ unit: fc.constantFrom("a", "b", "😀", "\ud800", " "), maxLength: 8 }),
  fc.uuid(),
  fc.integer({ min: -6, max: 6 }),
  fc.double(),
  fc.constantFrom<unknown>(
    -0,
    2 ** 31,
    2 ** 31 - 1,
    -(2 ** 31) - 1,
    2 ** 32,
    2 ** 53,
    2 ** 60,
    1n,
    new Date(0),
    [],
    {},
  ),
);
// The items of a list often have one type.
const items = fc.oneof(
  fc.array(scalar, { maxLength: 3 }),
  fc.array(fc.constantFrom("a", "b", "aa"), { maxLength: 3 }),
  fc.array(fc.integer({ min: -6, max: 6 }), { maxLength: 3 }),
  fc.array(fc.array(fc.constantFrom("a", 1), { maxLength: 2 }), { maxLength: 2 }),
  fc.constantFrom<unknown[]>(Object.assign([], { length: 2 }), Object.assign(["a"], { more: 1 })),
);
const value = fc.oneof({ arbitrary: scalar, weight: 3 }, { arbitrary: items, weight: 1 });

/** Returns the value that zod parses; undefined if zod rejects it. */
function parsed(one: z.ZodType, given: unknown): { readonly data: unknown } | undefined {
  const result = one.safeParse(given);
  return result.success ? { data: result.data } : undefined;
}

test("zod accepts every plainly valid value unchanged", () => {
  let plain = 0;
  let lists = 0;
  fc.assert(
    fc.property(schema, value, (one, given) => {
      const rule = plainRule(one);
      if (rule === undefined || !passesPlainRule(rule, given)) return true;
      plain++;
      const found = parsed(one, given);
      if (!Array.isArray(given)) return found !== undefined && Object.is(found.data, given);
      lists++;
      return found !== undefined && isDeepStrictEqual(found.data, [...(given as unknown[])]);
    }),
    { numRuns: 30_000 },
  );
  expect(plain).toBeGreaterThan(1_000);
  expect(lists).toBeGreaterThan(100);
});

describe("a plain rule accepts common values", () => {
  test.each<[string, z.ZodType, unknown]>([
    ["a text of some length", z.string().min(1).max(200), "A note"],
    ["a text by a pattern", z.string().regex(/^A/g), "A note"],
    ["a UUID", z.uuid(), "7f3c5e31-8588-4233-9234-b11cd121f243"],
    ["an address", z.email(), "ann@example.com"],
    ["a number", z.number().positive(), 0.5],
    ["a whole number", z.int32().min(0), 2026],
    ["true", z.boolean(), true],
    ["one of some", z.enum(["new", "used"]), "used"],
    ["a list", z.array(z.string().max(30)).min(1).max(10), ["a", ""]],
    ["nothing", z.string().nullable(), null],
    ["what could be left out", z.string().optional().default("x"), "y"],
  ])("%s", (_, one, given) => {
    const rule = plainRule(one);
    expect(rule && passesPlainRule(rule, given)).toBe(true);
  });
});

/** Follows zod's documentation for library authors. */
function mine(): z.ZodType {
  const Mine = z.core.$constructor<z.ZodString>("Mine", (instance, definition) => {
    z.ZodString.init(instance, definition);
  });
  return new Mine({ type: "string" });
}

test.each<[string, z.ZodType]>([
  ["looks at more", z.string().refine(() => true)],
  ["changes its value", z.string().trim()],
  ["is somebody else's class", mine()],
])("a schema that %s has no plain rule", (_, one) => {
  expect(plainRule(one)).toBeUndefined();
});
