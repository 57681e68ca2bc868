import fc from "fast-check";
import {
  graphql,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLScalarType,
  GraphQLSchema,
  isScalarType,
} from "graphql";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { allow, defineApi, defineResource } from "../../src/index.ts";

const fields = {
  id: z.int32(),
  uuid: z.uuid(),
  email: z.email(),
  url: z.url(),
  date: z.iso.date(),
  datetime: z.iso.datetime(),
  time: z.iso.time(),
  duration: z.iso.duration(),
  wide: z.int(),
  big: z.bigint(),
  json: z.json(),
  base64: z.base64(),
  base64url: z.base64url(),
  ipv4: z.ipv4(),
  ipv6: z.ipv6(),
  jwt: z.jwt(),
  ulid: z.ulid(),
};
const thing = defineResource("thing", { fields, access: { read: allow, create: allow, update: allow, delete: allow } });
const { schema } = defineApi({ resources: [thing] }).graphql;
const BUILT_IN = new Set(["Int", "Float", "String", "Boolean", "ID"]);
const SCALARS = Object.values(schema.getTypeMap()).filter(
  (type) => isScalarType(type) && !BUILT_IN.has(type.name),
) as GraphQLScalarType[];

test.each([
  ["uuid", "5", "UUID must be a string."],
  ["wide", "1.5", "SafeInt must be an integer between -(2^53 - 1) and 2^53 - 1."],
  ["big", "1.5", "BigInt must be an integer, or a string of digits."],
])("locates a wrong literal of %s", async (field, literal, message) => {
  const source = `mutation { createThing(input: { ${field}: ${literal} }) { id } }`;
  const { errors = [] } = await graphql({ schema, source });
  const location = { line: 1, column: source.indexOf(literal, source.indexOf(field)) + 1 };
  expect(errors.map(({ message, locations }) => ({ message, locations }))).toContainEqual({
    message,
    locations: [location],
  });
});

describe("the specifications of scalars", () => {
  test.each([
    ["UUID", "https://scalars.graphql.org/chillicream/uuid.html"],
    ["EmailAddress", "https://www.rfc-editor.org/rfc/rfc5322"],
    ["URL", "https://url.spec.whatwg.org/"],
    ["Date", "https://scalars.graphql.org/andimarek/local-date.html"],
    ["DateTime", "https://www.rfc-editor.org/rfc/rfc3339"],
    ["Time", "https://www.rfc-editor.org/rfc/rfc3339"],
    ["Duration", "https://www.iso.org/standard/70907.html"],
    ["JSON", "https://www.rfc-editor.org/rfc/rfc8259"],
    ["Base64String", "https://scalars.graphql.org/chillicream/base64-string.html"],
    ["Base64URL", "https://www.rfc-editor.org/rfc/rfc4648"],
    ["IPv4", "https://www.rfc-editor.org/rfc/rfc791"],
    ["IPv6", "https://www.rfc-editor.org/rfc/rfc5952"],
    ["JWT", "https://www.rfc-editor.org/rfc/rfc7519"],
    ["ULID", "https://github.com/ulid/spec"],
  ])("%s", (name, specifiedByURL) => {
    expect(schema.getType(name)).toMatchObject({ specifiedByURL });
  });

  test("exist for all scalars except the numbers that JSON has no name for", () => {
    const without = SCALARS.filter(({ specifiedByURL }) => !specifiedByURL).map(({ name }) => name);
    expect(without.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(["BigInt"]);
    expect(SCALARS).toHaveLength(16);
  });
});

/** Writes a value as a GraphQL literal, with its members in the order of the value. */
function literalOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literalOf).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, one]) => `${name}: ${literalOf(one)}`)
    .join(", ")} }`;
}

/** The result of a scalar for a literal in a document, and for a variable. */
async function bothWays(type: GraphQLScalarType, value: unknown) {
  let seen: unknown;
  const echo = {
    type,
    args: { value: { type: new GraphQLNonNull(type) } },
    resolve: (_source: unknown, args: { readonly value?: unknown }) => {
      seen = args.value;
      return args.value;
    },
  };
  const echoing = new GraphQLSchema({ query: new GraphQLObjectType({ name: "Query", fields: { echo } }) });
  const ask = async (source: string, variableValues: object): Promise<unknown> => {
    seen = undefined;
    const { data, errors } = await graphql({
      schema: echoing,
      source,
      variableValues: variableValues as Record<string, unknown>,
    });
    return errors === undefined ? { echo: data?.["echo"], seen: JSON.stringify(seen) } : "refused";
  };
  const variable = await ask(`query ($value: ${type.name}!) { echo(value: $value) }`, { value });
  return { literal: await ask(`{ echo(value: ${literalOf(value)}) }`, {}), variable };
}

const name = fc.stringMatching(/^[a-z][A-Za-z0-9_]{0,5}$/);
const { tree: anything } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    fc.string(),
    fc.integer(),
    fc.constantFrom(2 ** 31, 2 ** 40, -(2 ** 53) + 1, 2 ** 53, 1.5, 1e21, "12", "-7", "1e3", "", "2026-01-31"),
    fc.boolean(),
    fc.array(tie("tree"), { maxLength: 3 }),
    fc.dictionary(name, tie("tree"), { maxKeys: 3, noNullPrototype: true }),
    fc.constant(null),
  ),
}));

test.each(SCALARS.map((type) => [type.name, type] as const))(
  "%s coerces literals and variables in the same way",
  async (_, type) => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(anything, async (value) => {
        // A literal keeps all digits, but a JSON number may be rounded.
        fc.pre(type.name !== "BigInt" || typeof value !== "number" || Number.isSafeInteger(value));
        const { literal, variable } = await bothWays(type, value);
        expect(literal).toEqual(variable);
        if (variable !== "refused") taken++;
      }),
      { numRuns: 300 },
    );
    expect(taken).toBeGreaterThan(10);
  },
);

test("omits a member whose variable has no value", async () => {
  const api = defineApi({
    resources: [
      defineResource("note", {
        fields: { id: z.int32(), data: z.json() },
        access: { read: allow, create: allow, update: allow, delete: allow },
      }),
    ],
  });
  const source =
    "mutation ($a: JSON, $b: JSON) { createNote(input: { id: 1, data: { a: $a, b: $b, c: [$a] } }) { data } }";
  const answer = await graphql({
    schema: api.graphql.schema,
    source,
    variableValues: { b: null },
    contextValue: api.graphql.context(null),
  });
  expect(JSON.parse(JSON.stringify(answer))).toEqual({ data: { createNote: { data: { b: null, c: [null] } } } });
});
