import { expect, test } from "vitest";
import { z } from "zod";
import { allow, defineApi, defineResource, deny, hasMany } from "../../src/index.ts";
import { send } from "../request.ts";
import { createLibrary } from "./library.ts";

const access = { read: allow, create: deny, update: deny, delete: deny };
const plain = defineResource("note", { fields: { id: z.int32(), text: z.string() }, access, sortable: [] });

test.each([
  ["/notes?foo=1", "Unknown parameter 'foo'. Available: filter, page, count, fields, initial."],
  ["/notes?search=x", "Unknown parameter 'search'. Available: filter, page, count, fields, initial."],
  ["/notes?populate=x", "Unknown parameter 'populate'. Available: "],
  ["/notes/1?foo=1", "Unknown parameter 'foo'. Available: fields, initial."],
])("lists only parameters that the resource offers for %s", async (url, detail) => {
  const { body } = await send(defineApi({ resources: [plain], warnings: false }), "GET", url);
  expect((body as { readonly detail: string }).detail).toContain(detail);
});

test("lists the parameters of the resource at the end of a relation", async () => {
  const note = defineResource("note", {
    fields: { id: z.int32(), bookId: z.int32() },
    access: { ...access, create: allow },
    filterable: ["bookId"],
    sortable: [],
  });
  const book = defineResource("book", {
    fields: { id: z.int32(), title: z.string() },
    access: { ...access, create: allow },
    relations: { notes: hasMany("note", "bookId") },
    search: ["title"],
  });
  const api = defineApi({ resources: [note, book], warnings: false });
  const list = await send(api, "GET", "/books?foo=1");
  expect(list.body).toMatchObject({
    detail: expect.stringContaining("filter, q, page, count, fields, include") as string,
  });
  const nested = await send(api, "GET", "/books/1/notes?foo=1");
  expect(nested.body).toMatchObject({ detail: expect.stringContaining("filter, page, count, fields.") as string });
  const embedded = await send(api, "GET", "/books?include=notes&rel[notes][q]=x&rel[notes][foo]=1");
  expect(embedded.body).toMatchObject({ detail: expect.stringContaining("filter, page, count.") as string });
});

test.each([
  ["/books?limit=5", "Unknown parameter 'limit'. Use 'page[size]'."],
  ["/books?offset=5", "Unknown parameter 'offset'. Use 'page[offset]'."],
  ["/books?order_by=price", "Unknown parameter 'order_by'. Use 'sort'."],
  ["/books?populate=author", "Unknown parameter 'populate'. Use 'include'."],
  ["/books?filtr[price]=5", "Unknown parameter 'filtr'. Did you mean 'filter'?"],
  ["/books?price=5", "To filter by a field, write filter[field]=value."],
  ["/books?constructor=5", "To filter by a field, write filter[field]=value."],
  ["/books/1?limit=5", "Unknown parameter 'limit'. Available: fields, include, rel"],
  ["/books?sort=price:desc", "'book' can't be sorted by 'price:desc'. Write '-price' for this order."],
  ["/books?sort=price+ASC", "'book' can't be sorted by 'price ASC'. Write 'price' for this order."],
  ["/books?sort=prices:desc", "'book' can't be sorted by 'prices:desc'. Available: "],
  ["/books?filter[price][in]=1&filter[price][in]=x", "Value 2 of 'in': expected a number."],
  ["/books?filter[price][in]=1,5", "Value 1 of 'in': expected a number. To pass several values, repeat the parameter."],
  ["/books?filter[price]=1,5", "'price': expected a number. To match several values, use 'in'."],
])("explains how to write %s", async (url, detail) => {
  expect(await send(createLibrary(), "GET", url)).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining(detail) as string },
  });
});
