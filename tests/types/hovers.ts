import { allow, belongsTo, defineApi, defineResource, hasMany, memoryStore, owner, uuid } from "@bifocal/core";
import * as z from "zod";

const author = defineResource("author", {
  fields: { id: z.uuid(), name: z.string(), userId: z.string() },
  generated: { id: uuid() },
  relations: { books: hasMany("book", "authorId") },
  access: { read: allow, create: allow, update: owner("userId"), delete: allow },
  filterable: ["name"],
  sortable: ["name"],
});

const book = defineResource("book", {
  fields: { id: z.uuid(), title: z.string(), price: z.number().nullable(), authorId: z.uuid() },
  generated: { id: uuid() },
  relations: { author: belongsTo("author", "authorId") },
  access: {
    read: allow,
    create: allow,
    update: (context) => ({ authorId: { eq: context.principal?.id } }),
    delete: allow,
  },
  filterable: ["title", "price"],
  sortable: ["price"],
  actions: {
    discount: {
      on: "item",
      input: z.object({ percent: z.int32() }),
      access: allow,
      run: async (call) => ({ title: call.item.title, percent: call.input.percent }),
    },
  },
});

const api = defineApi({ resources: [author, book], store: memoryStore() });
export const found = await api.local.book.get("6f1c1a52-0000-4000-8000-000000000001");
export const listed = await api.local.author.list({ select: { name: true, books: true } });
export const created = await api.local.book.create({ title: "Emma", price: null, authorId: "6f1c1a52" });
export const updated = await api.local.book.update("6f1c1a52", { price: 5 });
export const discounted = await api.local.book.actions.discount("6f1c1a52", { percent: 10 });
await api.local.book.delete("6f1c1a52");
for await (const change of api.local.book.watch()) console.log(change);
