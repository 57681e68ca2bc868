import { allow, belongsTo, defineApi, defineResource, hasMany, uuid } from "@bifocal/core";
import { exitWithMessage, serve } from "@bifocal/node-http";
import { z } from "zod";

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", {
  fields: { id: z.uuid(), name: z.string().min(1) },
  generated: { id: uuid() },
  relations: { books: hasMany("book", "authorId", { creates: 10 }) },
  access,
});
const book = defineResource("book", {
  fields: { id: z.uuid(), title: z.string().min(1), price: z.number().nonnegative(), authorId: z.uuid() },
  generated: { id: uuid() },
  relations: { author: belongsTo("author", "authorId") },
  access,
  filterable: ["title", "price"],
  sortable: ["price"],
});
const api = defineApi({ resources: [author, book] });
const { PORT } = process.env;
const { url } = await serve(api, { port: PORT }).catch(exitWithMessage);
console.log(url);
