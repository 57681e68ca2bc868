import { allow, avg, belongsTo, count, defineResource, hasMany, now, uuid } from "@bifocal/core";
import { z } from "zod";

const access = { read: allow, create: allow, update: allow, delete: allow };

export const author = defineResource("author", {
  fields: { id: z.uuid(), name: z.string().min(1).max(100) },
  generated: { id: uuid() },
  relations: { books: hasMany("book", "authorId") },
  access,
  filterable: ["id", "name"],
  sortable: ["name"],
});

export const book = defineResource("book", {
  fields: {
    id: z.uuid(),
    title: z.string().min(1).max(200),
    price: z.number().nonnegative(),
    authorId: z.uuid(),
    createdAt: z.iso.datetime(),
  },
  generated: { id: uuid(), createdAt: now() },
  relations: { author: belongsTo("author", "authorId"), reviews: hasMany("review", "bookId") },
  computed: { reviewCount: count("reviews"), stars: avg("reviews", "stars") },
  access,
  filterable: ["title", "price"],
  sortable: ["title", "price", "createdAt"],
  actions: {
    discount: {
      on: "item",
      input: z.object({ percent: z.int32().min(1).max(90) }),
      access: allow,
      run: async ({ item, input, store }) =>
        store.update(item.id, { price: Math.round(item.price * (100 - input.percent)) / 100 }),
    },
  },
});

export const review = defineResource("review", {
  fields: { id: z.uuid(), bookId: z.uuid(), stars: z.int32().min(1).max(5), text: z.string().max(2000) },
  generated: { id: uuid() },
  relations: { book: belongsTo("book", "bookId") },
  access,
  // Clients have no method that updates or deletes a review.
  operations: ["get", "list", "create"],
});
