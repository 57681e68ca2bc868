import {
  type AnyResource,
  allow,
  defineApi,
  defineResource,
  hasMany,
  hasOne,
  type JsonObject,
} from "../../src/index.ts";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { checkJson } from "./check-json.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };

function resource(name: string, more: object = {}): AnyResource {
  return defineResource(name, { fields: { id: z.int32(), [`${name}Text`]: z.string() }, access, ...more });
}

interface Described {
  readonly operationId?: string;
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, { schema: JsonObject }>> }>>;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonObject }>> };
}

function describeAll(...resources: readonly AnyResource[]) {
  const document = defineApi({ resources }).openapi("", "3.2", "all");
  const paths = document["paths"] as unknown as Readonly<Record<string, Readonly<Record<string, Described>>>>;
  const at = (path: string, method: string): Described => paths[path]?.[method] as Described;
  return {
    document,
    schemas: (document["components"] as JsonObject)["schemas"] as JsonObject,
    at,
    idOf: (path: string, method: string) => at(path, method).operationId,
    ids: Object.values(paths).flatMap((item) => Object.values(item).flatMap(({ operationId = [] }) => operationId)),
  };
}

describe("component names are unique", () => {
  test.each<[path: string, own: string, ...resources: AnyResource[]]>([
    ["/problems", "problem", resource("problem")],
    ["/json-patches", "jsonPatch", resource("jsonPatch")],
    ["/create-books", "createBook", resource("book"), resource("createBook")],
    ["/books", "book", resource("book"), resource("createBook")],
    ["/books", "book", resource("createBook"), resource("book")],
    ["/book-queries", "bookQuery", resource("book"), resource("bookQuery")],
    ["/problem2s", "problem2", resource("problem2"), resource("problem")],
  ])("%s has its own rows and inputs", (path, own, ...resources) => {
    const { document, at, schemas } = describeAll(...resources);
    const row = at(path, "get").responses["200"]?.content["application/json"]?.schema as JsonObject;
    const input = at(path, "post").requestBody?.content["application/json"]?.schema as JsonObject;
    const given = { id: 1, [`${own}Text`]: "text" };
    expect(checkJson(document, input, given)).toBe("");
    expect(checkJson(document, input, { id: 1, text: "text" })).not.toBe("");
    const { $ref } = row["items"] as { readonly $ref: string };
    const { properties } = schemas[$ref.split("/").at(-1) ?? ""] as JsonObject;
    expect(Object.keys(properties as JsonObject)).toEqual(Object.keys(given));
    expect(Object.keys(schemas["Problem"] as JsonObject)).toContain("required");
    expect(schemas["JsonPatch"]).toMatchObject({ type: "array" });
  });

  test("the order of resources changes no name", () => {
    const [book, createBook] = [resource("book"), resource("createBook")];
    expect(describeAll(book, createBook).schemas).toEqual(describeAll(createBook, book).schemas);
    expect(Object.keys(describeAll(book).schemas)).toEqual(
      "Book CreateBook ReplaceBook UpdateBook BookFilter BookQuery Problem JsonPatch".split(" "),
    );
  });
});

describe("operation ids are unique", () => {
  const profile = resource("userProfile", {
    fields: { id: z.int32(), userId: z.int32() },
    unique: ["userId"],
  });
  const user = resource("user", { relations: { profile: hasOne("userProfile", "userId") } });

  test.each([[[user, profile]], [[profile, user]]])("if a relation's id would equal a resource's", (resources) => {
    const { ids, idOf } = describeAll(...resources);
    expect(new Set(ids).size).toBe(ids.length);
    expect([idOf("/user-profiles/{id}", "get"), idOf("/users/{id}/profile", "get")]).toEqual([
      "getUserProfile",
      "getUserProfile2",
    ]);
    expect([idOf("/user-profiles", "post"), idOf("/users/{id}/profile", "post")]).toEqual([
      "createUserProfile",
      "createUserProfile2",
    ]);
  });

  test("if names of actions or of a resource collide", () => {
    const run = (): null => null;
    const order = resource("order", {
      actions: {
        list: { on: "collection", access: allow, run },
        get: { on: "item", access: allow, run },
      },
      relations: { lines: hasMany("index", "orderId") },
    });
    const index = resource("index", { fields: { id: z.int32(), orderId: z.int32() } });
    const { ids, idOf } = describeAll(order, index);
    expect(new Set(ids).size).toBe(ids.length);
    expect([idOf("/orders", "get"), idOf("/orders/list", "post")]).toEqual(["listOrders", "listOrders2"]);
    expect([idOf("/orders/{id}", "get"), idOf("/orders/{id}/get", "post")]).toEqual(["getOrder", "getOrder2"]);
    expect(idOf("/", "get")).toBe("getIndex");
  });
});
