// Each mistake is alone between its markers. `mistakes.test.ts` compiles them and checks the error messages.
import { allow, belongsTo, defineApi, defineResource, hasMany, uuid } from "@bifocal/core";
import { z } from "zod";

const access = { read: allow, create: allow, update: allow, delete: allow };
const fields = { id: z.uuid(), title: z.string(), authorId: z.uuid(), price: z.number() };

export const author = defineResource("author", {
  fields: { id: z.uuid(), name: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access,
});

// # no access
export const withoutAccess = defineResource("book", { fields });

// # half of the access
export const halfAccess = defineResource("book", { fields, access: { read: allow, create: allow, update: allow } });

// # a generated value of the wrong type
export const wrongGenerated = defineResource("book", { fields, access, generated: { price: uuid() } });

// # a generated field that is not there
export const strayGenerated = defineResource("book", { fields, access, generated: { isbn: uuid() } });

// # a rule on an unknown field
export const strayRule = defineResource("book", { fields, access: { ...access, fields: { isbn: { read: allow } } } });

// # a row filter of the wrong type
export const wrongFilter = defineResource("book", {
  fields,
  access: { ...access, read: () => ({ price: { gt: "1" } }) },
});

// # filterable by an unknown field
export const strayFilterable = defineResource("book", { fields, access, filterable: ["titel"] });

// # sortable by an unknown field
export const straySortable = defineResource("book", { fields, access, sortable: ["titel"] });

// # a key that isn't a field
export const strayKey = defineResource("book", { fields, access, key: "isbn" });

// # a relation over an unknown field
export const strayColumn = defineResource("book", {
  fields,
  access,
  relations: { author: belongsTo("author", "writerId") },
});

// # a relation named as a field
export const fieldAndRelation = defineResource("book", {
  fields,
  access,
  relations: { title: hasMany("author", "id") },
});

// # an action without a rule
export const openAction = defineResource("book", {
  fields,
  access,
  actions: { publish: { on: "item", run: () => null } },
});

// # an action that returns the wrong type
export const wrongAnswer = defineResource("book", {
  fields,
  access,
  actions: { count: { on: "collection", access: allow, output: z.number(), run: () => "one" } },
});

// # an unknown relation target
export const strayTarget = defineApi({ resources: [author] });

// # a relation over a field that its target does not have
export const strayForeign = defineApi({
  resources: [
    defineResource("shelf", { fields: { id: z.uuid() }, access, relations: { books: hasMany("book", "shelfId") } }),
    defineResource("book", { fields, access }),
  ],
});

// # a version that isn't a number
export const wordyVersion = defineResource("book", { fields, access, version: "title" });

// # a secret field that isn't internal
export const openSecret = defineResource("book", { fields, access, secret: ["title"] });

// # an action on neither an item nor the collection
export const misplaced = defineResource("book", {
  fields,
  access,
  actions: { publish: { on: "row", access: access.read, run: () => null } },
});

// # a query on neither an item nor the collection
export const misplacedQuery = defineResource("book", {
  fields,
  access,
  queries: { cheap: { on: "row", access: allow, run: () => ({ filter: { price: { lt: 5 } } }) } },
});

// # an unknown field within a relation of a local call
await defineApi({ resources: [author, defineResource("book", { fields, access })] }).local.author.list({
  select: { books: { select: { titel: true } } },
});

// # end
export const book = defineResource("book", {
  fields,
  access,
  relations: { author: belongsTo("author", "authorId") },
  sortable: ["title"],
});
export const api = defineApi({ resources: [author, book] });

// # an unknown resource
await api.local.magazine.list();

// # an unknown field of a local call
await api.local.book.list({ select: { titel: true } });

// # an unknown sort
await api.local.book.list({ sort: ["-price"] });

// # a field too many
await api.local.book.create({ id: "1", title: "x", authorId: "y", price: 1, isbn: "z" });

// # a field too few
await api.local.book.create({ id: "1", title: "x", price: 1 });
