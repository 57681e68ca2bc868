import {
  allOf,
  allow,
  avg,
  belongsTo,
  compose,
  computed,
  defineResource,
  hasMany,
  hasRole,
  manyToMany,
  anyOf,
  owner,
  through,
  uuid,
} from "@bifocal/core";
import { z } from "zod";
import { dollarsPerEuro } from "../exchange-rate.ts";
import { admins, staff } from "../roles.ts";
import { timestamps } from "../traits.ts";

export const genre = z.enum(["novel", "poem", "essay", "drama", "biography"]).meta({ id: "Genre" });

/** Books by the author that the caller is. */
const ownBooks = allOf(hasRole("author"), through("author", owner("userId")));
const published = (): { publishedAt: { isNull: false } } => ({ publishedAt: { isNull: false } });

export const book = defineResource("book", {
  description:
    "A book of the shop. Without `publishedAt` it is a draft, which only its author, editors and admins see.",
  ...compose(
    {
      fields: {
        id: z.uuid(),
        title: z.string().trim().min(1).max(300),
        authorId: z.uuid(),
        genre,
        price: z.number().nonnegative().max(10_000).meta({ description: "In euros." }),
        publishedAt: z.iso.date().nullable(),
        cost: z
          .number()
          .nullable()
          .meta({ description: "The price that the shop paid. Not part of any schema or document." }),
      },
      generated: { id: uuid() },
    },
    timestamps(),
  ),
  internal: ["cost"],
  relations: {
    author: belongsTo("author", "authorId"),
    reviews: hasMany("review", "bookId"),
    tags: manyToMany("tag", { links: 20 }),
  },
  computed: {
    isDraft: computed(z.boolean(), { from: ["publishedAt"], get: ({ publishedAt }) => publishedAt === null }),
    averageStars: avg("reviews", "stars"),
    priceInDollars: computed(z.number(), {
      from: ["price"],
      load: async (books) => {
        const rate = await dollarsPerEuro();
        return books.map(({ price }) => Math.round(price * rate * 100) / 100);
      },
    }),
  },
  access: {
    read: anyOf(staff, ownBooks, published),
    create: staff,
    update: anyOf(staff, ownBooks),
    delete: admins,
    // Fields that only the shop can change, not the author.
    fields: { price: { write: staff }, publishedAt: { write: staff }, authorId: { write: staff } },
    relations: { tags: { link: staff } },
  },
  bulk: { create: 100, update: 100, delete: 100 },
  filterable: ["title", "authorId", "genre", "price", "publishedAt", "createdAt"],
  sortable: ["title", "price", "publishedAt", "createdAt"],
  aggregatable: ["price", "publishedAt"],
  groupable: ["genre", "authorId", "publishedAt"],
  search: ["title", "author.name"],
  queries: {
    trending: {
      description: "The books of a year with good reviews, the latest first.",
      on: "collection",
      input: z.object({ year: z.int().min(1000).max(9999) }),
      access: allow,
      run: ({ input: { year } }) => ({
        filter: {
          publishedAt: { gte: `${year}-01-01`, lte: `${year}-12-31` },
          reviews: { some: { stars: { gte: 4 } } },
        },
        sort: ["-publishedAt", "title"],
      }),
    },
  },
  actions: {
    publish: {
      description: "Makes a draft visible to every caller.",
      on: "item",
      input: z.object({ at: z.iso.date() }),
      access: staff,
      run: ({ item, input, store }) => store.update(item.id, { publishedAt: input.at }),
    },
    discount: {
      description: "Reduces the price of every book of a genre by a percentage.",
      on: "collection",
      input: z.object({ genre, percent: z.int().min(1).max(90) }),
      output: z.object({ changed: z.int() }),
      access: admins,
      run: async ({ input, store }) => {
        const books = await store.list({ filter: { genre: { eq: input.genre } } });
        for (const { id, price } of books) {
          await store.update(id, { price: Math.round(price * (100 - input.percent)) / 100 });
        }
        return { changed: books.length };
      },
    },
  },
});
