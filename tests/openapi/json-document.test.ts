import { startBookstore } from "@bifocal/example-bookstore/start";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KEYS, send } from "../bookstore/stores.ts";

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}
interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly explode?: boolean;
  readonly schema: Schema;
}
interface Body {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

let store: Awaited<ReturnType<typeof startBookstore>>;
let json: Document;
let all: Document;

const read = async (query: string): Promise<Document> =>
  (await send(store.url, "GET", `/openapi.json${query}`)).body as Document;

beforeAll(async () => {
  store = await startBookstore({ adapter: "node-http", port: 0, host: "127.0.0.1", keys: KEYS });
  [json, all] = [await read(""), await read("?formats=all")];
});
afterAll(() => store.close());

function operationsOf({ paths }: Document): readonly (readonly [name: string, operation: Operation])[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      method === "parameters" ? [] : [[`${method} ${path}`, operation] as const],
    ),
  );
}

function parametersOf({ components }: Document, { parameters = [] }: Operation): readonly Parameter[] {
  return parameters.map((one) =>
    one.$ref === undefined ? one : (components.parameters[one.$ref.split("/").at(-1) ?? ""] as Parameter),
  );
}

const listBooks = (document: Document): readonly Parameter[] =>
  parametersOf(document, document.paths["/books"]?.["get"] as Operation);

test("describes JSON as the only media type of a request and of a successful response", () => {
  const contents = operationsOf(json).flatMap(([name, { requestBody, responses }]) => [
    ...(requestBody === undefined ? [] : [[name, Object.keys(requestBody.content ?? {})]]),
    ...Object.entries(responses).flatMap(([status, { content }]) =>
      status.startsWith("2") && content !== undefined ? [[`${name} ${status}`, Object.keys(content)]] : [],
    ),
  ]);
  expect(contents.length).toBeGreaterThan(50);
  expect(contents).toEqual(contents.map(([name]) => [name, ["application/json"]]));
  expect(operationsOf(all).some(([, { responses }]) => Object.keys(responses["200"]?.content ?? {}).length > 5)).toBe(
    true,
  );
});

test("describes one successful content per operation, so that clients get one type", () => {
  for (const [name, { responses }] of operationsOf(json)) {
    const contents = Object.entries(responses)
      .filter(([status]) => status.startsWith("2"))
      .map(([, { content }]) => JSON.stringify(content?.["application/json"]?.schema));
    expect([name, new Set(contents).size]).toEqual([name, 1]);
    expect(contents[0] ?? "").not.toMatch(/^.{0,20}(oneOf|anyOf)/);
  }
});

test("describes other errors by ranges, because generators take default for a successful response", () => {
  for (const [name, { responses }] of operationsOf(json)) {
    expect([name, Object.keys(responses)]).toEqual([name, expect.arrayContaining(["4XX", "5XX"])]);
    expect(responses).not.toHaveProperty("default");
  }
  expect(operationsOf(all).every(([, { responses }]) => "default" in responses)).toBe(true);
});

test("requires the fields that every response contains, but not those that a rule can hide", () => {
  const { schemas } = json.components;
  expect(schemas["Book"]?.required).toEqual([
    "id",
    "title",
    "authorId",
    "genre",
    "price",
    "publishedAt",
    "createdAt",
    "updatedAt",
    "isDraft",
    "averageStars",
    "priceInDollars",
  ]);
  expect(schemas["Author"]?.required).toEqual(["id", "name", "bio", "born", "createdAt", "bookCount"]);
  expect(Object.keys(schemas["Author"]?.properties ?? {})).toContain("email");
  // With `fields`, any of them can be missing.
  expect(all.components.schemas["Book"]?.required).toBeUndefined();
  expect(listBooks(all).map(({ name }) => name)).toContain("fields");
  expect(listBooks(json).map(({ name }) => name)).not.toContain("fields");
});

test("makes no default mandatory in clients, and states it where it applies", () => {
  const { CreateUser, UpdateUser, ReplaceUser } = json.components.schemas;
  expect(CreateUser?.required).toEqual(["id", "name"]);
  expect(CreateUser?.properties?.["role"]).not.toHaveProperty("default");
  expect(CreateUser?.properties?.["role"]?.description).toBe('Default: "reader".');
  expect(all.components.schemas["CreateUser"]?.properties?.["role"]?.default).toBe("reader");
  for (const schema of [UpdateUser, ReplaceUser]) {
    expect(JSON.stringify(schema?.properties?.["role"])).not.toMatch(/default/i);
  }
});

test("offers null only where it is possible", () => {
  const { schemas } = json.components;
  expect(schemas["Book"]?.properties?.["author"]).toEqual({
    $ref: "#/components/schemas/Author",
    description: "Only if the request includes it.",
  });
  // The caller may be allowed to read the review, but not its book.
  expect(JSON.stringify(schemas["Review"]?.properties?.["book"])).toContain('"null"');
  const link = all.paths["/books/{id}/relationships/author"]?.["patch"];
  const schema = link?.requestBody?.content?.["application/vnd.api+json"]?.schema;
  expect(schema?.properties?.["data"]?.type).toBe("object");
});

test("describes bounds and patterns of parameters", () => {
  const named = new Map(listBooks(json).map((one) => [one.name, one]));
  expect(named.get("filter[price][between]")?.schema).toMatchObject({ minItems: 2, maxItems: 2 });
  const tags = new RegExp(json.components.parameters["ifMatch"]?.schema.pattern ?? "", "u");
  for (const valid of ["*", '"3"', 'W/"a.b", "c"']) expect(valid).toMatch(tags);
  for (const invalid of ["3", '"3', '"3" "4"', ""]) expect(invalid).not.toMatch(tags);
  const key = new RegExp(json.components.parameters["idempotencyKey"]?.schema.pattern ?? "", "u");
  for (const valid of ['"a b"', "a-b", '"a\\"b"']) expect(valid).toMatch(key);
  for (const invalid of ['"', "a,b", "a b", "ä", '"a"b"']) expect(invalid).not.toMatch(key);
});

describe("GET /books", () => {
  const SAMPLES: Readonly<Record<string, string>> = {
    uuid: "a0000000-0000-4000-8000-000000000001",
    date: "2000-01-31",
    "date-time": "2000-01-31T00:00:00Z",
  };
  const sampleOf = ({ type, format = "", enum: values }: Schema): string => {
    if (values !== undefined) return String(values[0]);
    if (SAMPLES[format] !== undefined) return SAMPLES[format];
    return { boolean: "true", integer: "2", number: "2" }[String(type)] ?? "a";
  };

  test("describes filters on own fields, along a to-one and along a to-many relation", () => {
    expect(listBooks(json).map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        "filter[title][contains]",
        "filter[author.name][startsWith]",
        "filter[reviews][some][stars][gte]",
        "filter[tags][none][name][eq]",
        "rel[reviews][page][size]",
      ]),
    );
  });

  test("accepts every filter that the document describes, with a value of its schema", async () => {
    const filters = listBooks(json).filter(({ name }) => name.startsWith("filter["));
    const wrong: string[] = [];
    let accepted = 0;
    for (const { name, schema } of filters) {
      const values = Array.from({ length: schema.items === undefined ? 1 : 2 }, () => sampleOf(schema.items ?? schema));
      const query = values.map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
      const { status, body } = await send(store.url, "GET", `/books?${query}`, { as: "admin" });
      if (status === 200) accepted++;
      else wrong.push(`${query}: ${JSON.stringify(body)}`);
    }
    expect(wrong).toEqual([]);
    expect(accepted).toBeGreaterThan(200);
  });
});

describe("/openapi.json", () => {
  test("has its own ETag for each value of formats, and json is the default", async () => {
    const tags = await Promise.all(
      ["", "?formats=json", "?formats=all"].map(async (query) => {
        const { headers } = await fetch(`${store.url}/openapi.json${query}`);
        return headers.get("etag") ?? "";
      }),
    );
    expect(tags[0]).toMatch(/^"/);
    expect(tags[1]).toBe(tags[0]);
    expect(tags[2]).not.toBe(tags[0]);
    const { status } = await fetch(`${store.url}/openapi.json?formats=all`, {
      headers: { "if-none-match": tags[2] ?? "" },
    });
    expect(status).toBe(304);
  });

  test("rejects another value of formats", async () => {
    const { status, body } = await send(store.url, "GET", "/openapi.json?formats=xml");
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", errors: [{ path: ["formats"] }] },
    });
  });
});
