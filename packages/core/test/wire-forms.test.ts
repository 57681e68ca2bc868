import { expect, test } from "vitest";
import { z } from "zod";
import { allow, decimal, defineApi, defineResource, memoryStore } from "../src/index.ts";
import type { WireType } from "../src/model/wire-type.ts";
import { ask, send } from "./request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };

function textOf(type: WireType): string {
  const mark = type.nullable ? "?" : "";
  if (type.kind === "enum") return `${type.values.join("|")}${mark}`;
  if (type.kind === "list") return `[${textOf(type.item)}]${mark}`;
  if (type.kind !== "object") return `${type.kind}${type.kind === "integer" && type.wide ? " wide" : ""}${mark}`;
  return `{${type.members.map(({ name, type: inner, optional }) => `${name}${optional ? "=" : ""}: ${textOf(inner)}`).join(", ")}}${mark}`;
}

const money = z.codec(z.string().regex(/^\d+\.\d\d$/), z.number(), {
  decode: (text) => Math.round(Number(text) * 100),
  encode: (cents) => (cents / 100).toFixed(2),
});

/** A schema, its type on the wire and in GraphQL, a value on the wire, and the value in local code. */
type Case = readonly [
  name: string,
  schema: z.ZodType,
  type: string,
  graphqlType: string,
  wire: unknown,
  value?: unknown,
];

const CASES: readonly Case[] = [
  ["string", z.string(), "string", "String!", "a"],
  ["email", z.email(), "email", "EmailAddress!", "a@example.org"],
  ["url", z.url(), "url", "URL!", "https://example.org/"],
  ["uuid", z.uuid(), "uuid", "UUID!", "5f0c3a3e-6f6c-4b8e-9a3e-0d6f2f8f1f11"],
  ["date", z.iso.date(), "date", "Date!", "2026-01-31"],
  ["time", z.iso.time(), "time", "Time!", "10:20:30"],
  ["datetime", z.iso.datetime(), "datetime", "DateTime!", "2026-01-31T10:20:30.000Z"],
  ["duration", z.iso.duration(), "duration", "Duration!", "P1D"],
  ["Date", z.date(), "datetime", "DateTime!", "2026-01-31T10:20:30.000Z", new Date("2026-01-31T10:20:30.000Z")],
  ["bytes", z.base64(), "string", "Base64String!", "SGVsbG8="],
  ["bytes for URLs", z.base64url(), "string", "Base64URL!", "SGVsbG8"],
  ["IPv4", z.ipv4(), "string", "IPv4!", "192.0.2.1"],
  ["IPv6", z.ipv6(), "string", "IPv6!", "2001:db8::1"],
  ["JWT", z.jwt(), "string", "JWT!", "eyJhbGciOiJIUzI1NiJ9.e30.c2ln"],
  ["ULID", z.ulid(), "string", "ULID!", "01ARZ3NDEKTSV4RRFFQ69G5FAV"],
  ["cuid", z.cuid(), "string", "String!", "cjld2cjxh0000qzrmn831i7rn"],
  ["decimal", decimal({ precision: 6, scale: 2 }), "decimal", "Decimal!", "9.99"],
  ["decimal as text", z.string().regex(/^\d+\.\d\d$/), "string", "String!", "9.99"],
  ["not negative", z.int32().nonnegative(), "integer", "Int!", 0],
  ["number", z.number(), "number", "Float!", 1.5],
  ["int32", z.int32(), "integer", "Int!", -7],
  ["bounded integer", z.int().min(0).max(100), "integer", "Int!", 7],
  ["wide integer", z.int(), "integer wide", "SafeInt!", 2 ** 40],
  ["bigint", z.bigint(), "bigint", "BigInt!", "123456789012345678901234567890", 123456789012345678901234567890n],
  ["boolean", z.boolean(), "boolean", "Boolean!", true],
  ["enum", z.enum(["a", "b"]), "a|b", "ThingValue!", "b"],
  ["literal", z.literal("only"), "only", "ThingValue!", "only"],
  ["nullable", z.string().nullable(), "string?", "String", null],
  ["list", z.array(z.int32()), "[integer]", "[Int!]!", [1, 2]],
  ["list of lists", z.array(z.array(z.string())), "[[string]]", "[[String!]!]!", [["a"], []]],
  [
    "list of dates",
    z.array(z.date()),
    "[datetime]",
    "[DateTime!]!",
    ["2026-01-31T10:20:30.000Z"],
    [new Date("2026-01-31T10:20:30.000Z")],
  ],
  ["tuple", z.tuple([z.int32(), z.int32()]), "[integer]", "[Int!]!", [1, 2]],
  [
    "object",
    z.object({ a: z.string(), b: z.int32().nullable() }),
    "{a: string, b: integer?}",
    "ThingValue!",
    { a: "x", b: null },
  ],
  ["record", z.record(z.string(), z.int32()), "json", "JSON!", { a: 1 }],
  ["json", z.json(), "json?", "JSON", { a: [1, "b", null] }],
  ["unknown", z.unknown(), "json?", "JSON", [1]],
  ["union of texts", z.union([z.email(), z.url()]), "string", "String!", "a@example.org"],
  ["union of numbers", z.union([z.int32(), z.number()]), "number", "Float!", 1.5],
  ["union with null", z.union([z.int32(), z.null()]), "integer?", "Int", null],
  ["union of any", z.union([z.string(), z.int32()]), "json", "JSON!", 5],
  ["codec", money, "string", "String!", "12.50", 1250],
  ["readonly", z.string().readonly(), "string", "String!", "a"],
  ["template", z.templateLiteral(["a-", z.int()]), "string", "String!", "a-1"],
  ["refined", z.string().refine((text) => text !== "no"), "string", "String!", "yes"],
  ["branded", z.string().brand("Name"), "string", "String!", "a"],
];

test.for(CASES)("%s", async ([, schema, type, graphqlType, wire, value = wire]) => {
  const thing = defineResource("thing", { fields: { id: z.string(), value: schema }, access });
  const api = defineApi({ resources: [thing], store: memoryStore() });
  const field = api.model.resources.get("thing")?.fields.get("value");
  expect(textOf(field?.type as WireType)).toBe(type);
  const { data } = await ask(
    api,
    `{ __type(name: "Thing") { fields { name type { ...T } } } }
    fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { name } } } } } }`,
  );
  expect(printType((data as never as Introspected).__type.fields[1]?.type)).toBe(graphqlType);

  const created = await send(api, "POST", "/things", { body: { id: "1", value: wire } });
  expect(created).toMatchObject({ status: 201, body: { id: "1", value: wire } });
  expect((await send(api, "GET", "/things/1")).body).toEqual({ id: "1", value: wire });
  const local = await api.local.thing.get("1");
  expect(local).toEqual({ id: "1", value });
  // Local code passes zod's input type.
  await api.local.thing.create({ id: "2", value: z.encode(schema, value) });
  expect((await send(api, "GET", "/things/2")).body).toEqual({ id: "2", value: wire });
});

interface Introspected {
  readonly __type: { readonly fields: readonly { readonly type: IntrospectedType }[] };
}
interface IntrospectedType {
  readonly kind: string;
  readonly name: string | null;
  readonly ofType?: IntrospectedType;
}

function printType(type: IntrospectedType | undefined): string {
  if (type?.kind === "NON_NULL") return `${printType(type.ofType)}!`;
  if (type?.kind === "LIST") return `[${printType(type.ofType)}]`;
  return type?.name ?? "";
}

test("an absent value is null if the field allows it, or the default if it has one", async () => {
  const thing = defineResource("thing", {
    fields: {
      id: z.string(),
      note: z.string().nullable(),
      size: z.int32().default(3),
      trimmed: z.string().trim().toLowerCase().optional(),
    },
    access,
  });
  const api = defineApi({ resources: [thing] });
  const { body } = await send(api, "POST", "/things", { body: { id: "1" } });
  expect(body).toEqual({ id: "1", note: null, size: 3, trimmed: null });
  const { body: other } = await send(api, "POST", "/things", { body: { id: "2", trimmed: "  Ab " } });
  expect(other).toMatchObject({ trimmed: "ab" });
});

test("a pipe accepts its input side and returns its output side", async () => {
  const thing = defineResource("thing", {
    fields: {
      id: z.string(),
      tags: z
        .string()
        .transform((text) => text.split(","))
        .pipe(z.array(z.string())),
    },
    access,
  });
  const api = defineApi({ resources: [thing] });
  const { status, body } = await send(api, "POST", "/things", { body: { id: "1", tags: "a,b" } });
  expect({ status, body }).toEqual({ status: 201, body: { id: "1", tags: ["a", "b"] } });
  expect(await api.local.thing.get("1")).toEqual({ id: "1", tags: ["a", "b"] });
});

test.each<[string, unknown, string]>([
  ["an empty key", { id: "", note: "" }, "'id' is the key. It can't be empty, '.' or '..'."],
  [
    "a key of dots, which would be another path",
    { id: "..", note: "" },
    "'id' is the key. It can't be empty, '.' or '..'.",
  ],
  [
    "half a surrogate pair",
    { id: "1", note: "\ud800" },
    "'note' contains an unpaired surrogate, which is not valid Unicode.",
  ],
  [
    "half a surrogate pair at depth",
    { id: "1", note: "", any: [{ "\udfff": 1 }] },
    "'any' contains an unpaired surrogate, which is not valid Unicode.",
  ],
])("rejects %s", async (_, body, message) => {
  const fields = { id: z.string(), note: z.string(), any: z.json().optional() };
  const api = defineApi({ resources: [defineResource("thing", { fields, access })] });
  expect(await send(api, "POST", "/things", { body })).toMatchObject({ status: 422, body: { errors: [{ message }] } });
  await expect(api.local.thing.create(body as never)).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
});

test("rejects a body that repeats a name", async () => {
  const api = defineApi({ resources: [defineResource("thing", { fields: { id: z.string() }, access })] });
  expect(await send(api, "POST", "/things", { text: '{"id":"1","id":"2"}' })).toMatchObject({
    status: 400,
    body: { detail: "The body contains 'id' twice in one object." },
  });
  const twice = '{"query":"{ __typename }","variables":{"a":1,"a":2}}';
  expect((await send(api, "POST", "/graphql", { text: twice })).body).toMatchObject({
    errors: [{ extensions: { code: "BAD_REQUEST" } }],
  });
});
