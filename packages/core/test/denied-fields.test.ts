import { expect, test } from "vitest";
import { z } from "zod";
import { allow, asSystem, defineApi, defineResource, deny, memoryStore, silentLog } from "../src/index.ts";
import { ask, send } from "./request.ts";

const book = defineResource("book", {
  fields: {
    id: z.int32(),
    title: z.string(),
    rating: z.number().default(0),
    code: z.string(),
    note: z.string().nullable(),
  },
  filledByHook: ["code"],
  access: {
    read: allow,
    create: allow,
    update: allow,
    delete: allow,
    fields: { rating: { write: deny }, code: { write: deny } },
  },
  upsert: true,
  bulk: { create: 9, update: 9 },
  filterable: ["id"],
  hooks: { create: { before: ({ input }) => ({ code: `B${input.id}`, ...input }) } },
});

function start() {
  const data = { book: [{ id: 1, title: "Emma", rating: 5, code: "B1", note: null }] };
  return defineApi({ resources: [book], store: memoryStore({ data }), log: silentLog });
}
const readOnly = (path: readonly (string | number)[]) => ({
  status: 422,
  body: { errors: [{ path, code: "not_writable", message: `'${path.at(-1)}' is read-only. Leave it out.` }] },
});

test("inputs of both styles don't contain a field whose write rule is deny", () => {
  const api = start();
  const document = JSON.parse(JSON.stringify(api.openapi())) as {
    components: {
      schemas: Record<string, { properties: Record<string, { readOnly?: boolean }>; required?: string[] }>;
    };
  };
  const { schemas } = document.components;
  const inputs = ["CreateBook", "ReplaceBook", "UpdateBook"].map((name) =>
    Object.keys(schemas[name]?.properties ?? {}),
  );
  expect(inputs).toEqual(Array(3).fill(["id", "title", "note"]));
  expect(document.components.schemas["Book"]?.properties["rating"]).toMatchObject({ readOnly: true });
  const sdl = api.graphql.sdl();
  const texts = sdl.match(/input (?:Create|Replace|Update)BookInput \{[^}]*\}/g) ?? [];
  expect(texts).toHaveLength(3);
  expect(texts.every((text) => text.includes("title"))).toBe(true);
  expect(texts.join("\n")).not.toMatch(/rating|code/);
});

test("REST rejects such a field as read-only, and writes don't need it", async () => {
  const api = start();
  const body = { id: 2, title: "Persuasion" };
  expect(await send(api, "POST", "/books", { body: { ...body, rating: 5 } })).toMatchObject(readOnly(["rating"]));
  expect(await send(api, "POST", "/books", { body: [{ ...body, code: "x" }] })).toMatchObject(readOnly([0, "code"]));
  expect(await send(api, "PATCH", "/books/1", { body: { rating: 1 } })).toMatchObject(readOnly(["rating"]));
  expect(await send(api, "POST", "/books", { body })).toMatchObject({
    status: 201,
    body: { ...body, rating: 0, code: "B2" },
  });
  const replacement = { id: 1, title: "Emma 2", note: null };
  const put = async (id: number, body: object) => send(api, "PUT", `/books/${id}`, { body });
  expect(await put(1, { id: 1, title: "Emma 2" })).toMatchObject({
    status: 422,
    body: { errors: [{ path: ["note"] }] },
  });
  expect(await put(1, { ...replacement, rating: 1 })).toMatchObject(readOnly(["rating"]));
  expect(await put(1, replacement)).toMatchObject({ status: 200, body: { ...replacement, rating: 5, code: "B1" } });
  const other = { ...replacement, id: 7 };
  expect(await put(7, other)).toMatchObject({ status: 201, body: { ...other, rating: 0, code: "B7" } });
});

test("GraphQL doesn't know the field in inputs", async () => {
  const api = start();
  const answer = await ask(api, `mutation { updateBook(id: 1, input: { rating: 1 }) { id } }`);
  // graphql 17 and 16.
  expect(JSON.stringify(answer)).toMatch(/not to include unknown field|is not defined by type/);
  const created = await ask(api, `mutation { createBook(input: { id: 3, title: "x" }) { code rating } }`);
  expect(created).toEqual({ data: { createBook: { code: "B3", rating: 0 } } });
});

test("a system call can write it, and another local call is forbidden to", async () => {
  const api = start();
  await expect(api.local.book.update(1, { rating: 1 })).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect(await api.as(asSystem("a test")).book.update(1, { rating: 1 })).toMatchObject({ rating: 1 });
});
