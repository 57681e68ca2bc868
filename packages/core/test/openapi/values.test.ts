import { describe, expect, test } from "vitest";
import { z } from "zod";
import { allow, defineApi, defineResource, type Json, type JsonObject } from "../../src/index.ts";
import { send } from "../request.ts";
import { checkJson } from "./check-json.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };

/** An API with one field `value`, and the field's schema in the document. */
async function startWith(value: z.ZodType) {
  const thing = defineResource("thing", { fields: { id: z.int32(), value }, access });
  const api = defineApi({ resources: [thing] });
  const { status, body } = await send(api, "GET", "/openapi.json");
  expect(status).toBe(200);
  const document = body as JsonObject;
  const { schemas } = document["components"] as { readonly schemas: Readonly<Record<string, JsonObject>> };
  const ofValue = (name: string): JsonObject =>
    (schemas[name] as { properties: { value: JsonObject } }).properties.value;
  return { api, document, output: ofValue("Thing"), input: ofValue("CreateThing") };
}

const euros = z.codec(z.number(), z.int().min(100), {
  decode: (amount) => Math.round(amount * 100),
  encode: (cents) => cents / 100,
});
const base64 = z.codec(z.string().max(12), z.string().max(5), {
  decode: (text) => atob(text),
  encode: (text) => btoa(text),
});
const length = z
  .string()
  .transform((text) => text.length)
  .pipe(z.int());

describe("responses and examples match the document", () => {
  test.each<[what: string, schema: z.ZodType, wire: Json, described: object]>([
    ["an email or an empty text", z.email().or(z.literal("")), "", { type: "string", pattern: undefined }],
    [
      "one of two formats",
      z.union([z.email(), z.url()]),
      "https://example.com/",
      { type: "string", pattern: undefined },
    ],
    [
      "one of two lengths",
      z.union([z.string().max(3), z.string().min(10)]),
      "0123456789",
      { type: "string", maxLength: undefined, minLength: undefined },
    ],
    ["text or null", z.string().max(3).or(z.null()), "abc", { type: ["string", "null"], maxLength: 3 }],
    ["null or text", z.null().or(z.string().max(3)), "abc", { type: ["string", "null"], maxLength: 3 }],
    ["a time", z.iso.time(), "12:00:00", { type: "string", format: undefined, pattern: expect.any(String) as string }],
    ["times", z.array(z.iso.time()), ["12:00"], { items: { type: "string", format: undefined } }],
    ["a duration", z.array(z.iso.duration()), ["PT1.5S"], { items: { type: "string", format: undefined } }],
    ["euros and cents", euros, 1.5, { type: "number", minimum: undefined }],
    ["euros and cents, or null", euros.nullable(), 1.5, { type: ["number", "null"], minimum: undefined }],
    ["text in Base64", base64, "aGVsbG8=", { type: "string", maxLength: 12 }],
    ["a case-insensitive pattern", z.string().regex(/^[a-z]+$/i), "ABC", { type: "string", pattern: undefined }],
    ["a multiline pattern", z.string().regex(/^b$/m), "a\nb", { type: "string", pattern: undefined }],
    ["a pattern", z.string().regex(/^[a-z]+$/), "abc", { type: "string", pattern: "^[a-z]+$" }],
    [
      "a pattern that is invalid with 'u'",
      z.string().regex(/^[\w-.]+$/),
      "a-b",
      { type: "string", pattern: undefined },
    ],
    ["text that is trimmed", z.string().min(1).trim(), " ", { type: "string", minLength: undefined }],
    ["text that is trimmed first", z.string().trim().min(1), " a", { type: "string", minLength: 1 }],
    ["big integers", z.bigint().meta({ examples: [10n] }), "10", { examples: ["10"] }],
    [
      "dates",
      z.date().meta({ examples: [new Date(0)] }),
      new Date(0).toISOString(),
      { examples: [new Date(0).toISOString()] },
    ],
    [
      "an invalid example",
      z
        .string()
        .max(3)
        .meta({ examples: ["none", 10] as never }),
      "a",
      { examples: ["A"] },
    ],
    [
      "lists of big integers",
      z
        .array(z.bigint())
        .max(3)
        .meta({ examples: [[10n]] }),
      ["1"],
      { maxItems: 3, examples: [["10"]] },
    ],
    ["an example of a codec", euros.meta({ examples: [250] }), 1.5, { examples: [2.5] }],
    ["a length", length, "four", { type: "integer", examples: [4] }],
    ["a length with examples", length.meta({ examples: [9] }), "four", { type: "integer", examples: [9] }],
    ["a list with a maximum", z.array(z.string()).max(2).default([]), ["a"], { type: "array", maxItems: 2 }],
  ])("%s", async (_, schema, wire, described) => {
    const { api, document, input, output } = await startWith(schema);
    expect(Object.fromEntries(Object.keys(described).map((key) => [key, output[key]]))).toEqual(described);
    const { status, body } = await send(api, "POST", "/things", { body: { id: 1, value: wire } });
    expect({ status, body }).toMatchObject({ status: 201 });
    expect(checkJson(document, output, (body as JsonObject)["value"])).toBe("");
    expect(checkJson(document, input, wire)).toBe("");
    for (const side of [input, output])
      for (const example of (side["examples"] ?? []) as Json[]) expect(checkJson(document, side, example)).toBe("");
  });

  test("examples of rows are valid responses, and those of bodies are accepted", async () => {
    const { document, api } = await startWith(length);
    interface Described {
      readonly content: { readonly "application/json": { readonly schema: JsonObject; readonly example: Json } };
    }
    const { paths } = document as unknown as {
      readonly paths: { "/things": { post: { requestBody: Described; responses: { "201": Described } } } };
    };
    const { requestBody, responses } = paths["/things"].post;
    const [sent, answered] = [requestBody, responses["201"]].map(({ content }) => content["application/json"]) as [
      Described["content"]["application/json"],
      Described["content"]["application/json"],
    ];
    expect([sent.example, answered.example]).toEqual([
      { id: 1, value: "text" },
      { id: 1, value: 4 },
    ]);
    expect(checkJson(document, sent.schema, sent.example)).toBe("");
    expect(checkJson(document, answered.schema, answered.example)).toBe("");
    expect((await send(api, "POST", "/things", { body: sent.example })).body).toEqual(answered.example);
  });
});

test.each<[what: string, schema: z.ZodType, described: JsonObject]>([
  ["a codec", z.codec(z.string(), z.bigint(), { decode: BigInt, encode: String }), { type: "string", examples: ["0"] }],
  [
    "a transform",
    z
      .string()
      .transform((text) => new URL(text).href)
      .pipe(z.string()),
    { type: "string" },
  ],
  ["a refinement", z.string().refine((text) => JSON.parse(text) === "no"), { type: "string" }],
  ["a fallback value", z.array(z.string().catch(() => JSON.parse("no"))).max(2), { type: "array" }],
])("%s that throws doesn't break the document", async (_, schema, described) => {
  expect((await startWith(schema)).output).toMatchObject(described);
});
