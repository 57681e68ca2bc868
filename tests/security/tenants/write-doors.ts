import fc from "fast-check";
import { type Asked, deletedId, draw, graphql, id, isbn, key, own, shelfId, stars, title, write } from "./draw.ts";

/** Every way to write rows, by name. */
export const WRITES: Readonly<Record<string, fc.Arbitrary<Asked>>> = {
  create: draw([isbn, title, fc.constantFrom("GB", null)], (value, name, code) =>
    write("POST", "/books", { isbn: value, title: name, price: 3, code }),
  ),
  createReview: draw([id, stars], (bookId, n) => write("POST", "/reviews", { bookId, stars: n })),
  mention: draw([id, isbn], (bookId, mentioned) => write("POST", "/reviews", { bookId, stars: 3, mentioned })),
  changeMention: draw([id, isbn], (key, mentioned) => write("PATCH", `/reviews/${key}`, { mentioned })),
  createWithin: draw([id, stars], (key, n) => write("POST", `/books/${key}/reviews`, { stars: n })),
  createMany: draw([isbn, isbn, title], (one, other, name) =>
    write("POST", "/books", [one, other].map((value) => ({ isbn: value, title: name, price: 1, code: "GB" })) as never),
  ),
  graphqlCreate: draw([isbn, title], (value, name) =>
    graphql("mutation ($input: CreateBookInput!) { createBook(input: $input) { id title } }", {
      input: { isbn: value, title: name, price: 2, code: "GB" },
    }),
  ),
  createWithParts: draw([isbn, id, stars], (value, tag, n) =>
    write("POST", "/books", { isbn: value, title: "Emma", price: 1, code: "GB", tags: [tag], reviews: [{ stars: n }] }),
  ),
  graphqlCreateWithParts: draw([isbn, id, id], (value, one, other) =>
    graphql("mutation ($input: CreateBookInput!) { createBook(input: $input) { id tags { nodes { id name } } } }", {
      input: { isbn: value, title: "Emma", price: 1, code: null, tags: [...new Set([one, other])] },
    }),
  ),
  graphqlCreateMany: draw([isbn, isbn, title], (one, other, name) =>
    graphql("mutation ($input: [CreateBookInput!]!) { createBooks(input: $input) { id } }", {
      input: [one, other].map((value) => ({ isbn: value, title: name, price: 1, code: "GB" })),
    }),
  ),
  createWithKey: draw([isbn, key], (value, one) => ({
    ...write("POST", "/books", { isbn: value, title: "Emma", price: 1, code: null }),
    key: one,
  })),
  graphqlCreateWithKey: draw([isbn, key], (value, one) =>
    graphql(
      "mutation ($input: CreateBookInput!, $key: String) { createBook(input: $input, idempotencyKey: $key) { id title } }",
      { input: { isbn: value, title: "Emma", price: 1, code: null }, key: one },
    ),
  ),
  update: draw([id, title, isbn], (key, name, value) => write("PATCH", `/books/${key}`, { title: name, isbn: value })),
  updateLinks: draw([own, id, own], (key, one, other) =>
    write("PATCH", `/books/${key}?include=tags`, { tags: { add: [one], remove: [other] } }),
  ),
  updateParts: draw([own, id, stars], (key, changed, n) =>
    write("PATCH", `/books/${key}`, { reviews: { create: [{ stars: n }], update: [{ id: changed, stars: n }] } }),
  ),
  deleteParts: draw([own, id], (key, gone) => write("PATCH", `/books/${key}`, { reviews: { delete: [gone] } })),
  graphqlUpdateParts: draw([own, id, stars], (key, one, n) =>
    graphql(
      "mutation ($id: ID!, $input: UpdateBookInput!) { updateBook(id: $id, input: $input) { tags { nodes { id } } reviews { nodes { stars } } } }",
      { id: key, input: { tags: { set: [one] }, reviews: { create: [{ stars: n }] } } },
    ),
  ),
  replaceWithLinks: draw([own, id, title], (key, tag, name) =>
    write("PUT", `/books/${key}`, { isbn: key.slice(-1), title: name, price: 1, code: "GB", tags: [tag] }),
  ),
  upsert: draw([shelfId, title], (key, name) => write("PUT", `/shelves/${key}`, { name })),
  graphqlUpsert: draw([shelfId, title], (key, name) =>
    graphql("mutation ($id: ID!, $input: ReplaceShelfInput!) { replaceShelf(id: $id, input: $input) { id name } }", {
      id: key,
      input: { id: key, name },
    }),
  ),
  moveReview: draw([own, id], (key, bookId) => write("PATCH", `/reviews/${key}`, { bookId })),
  updateMany: draw([title, title], (eq, name) => write("PATCH", `/books?filter[title]=${eq}`, { title: name })),
  delete: draw([id], (key) => write("DELETE", `/books/${key}`)),
  graphqlUpdateMany: draw([title, title], (eq, name) =>
    graphql(
      "mutation ($eq: String!, $input: UpdateBookInput!) { updateBooks(filter: { title: { eq: $eq } }, input: $input) { count ids } }",
      { eq, input: { title: name } },
    ),
  ),
  graphqlDeleteMany: draw([isbn], (eq) =>
    graphql("mutation ($eq: String!) { deleteBooks(filter: { isbn: { eq: $eq } }) { count ids } }", { eq }),
  ),
  deleteReview: draw([id], (key) => write("DELETE", `/reviews/${key}`)),
  deleteMany: draw([isbn], (eq) => write("DELETE", `/books?filter[isbn]=${eq}`)),
  graphqlDelete: draw([id], (key) => graphql("mutation ($id: ID!) { deleteReview(id: $id) { deleted } }", { id: key })),
  restore: draw([deletedId], (key) => write("POST", `/books/${key}/restore`)),
  graphqlRestore: draw([deletedId], (key) =>
    graphql("mutation ($id: ID!) { restoreBook(id: $id) { id title } }", { id: key }),
  ),
  graphqlLink: draw([own, id], (key, other) =>
    graphql("mutation ($id: ID!, $tag: ID!) { linkBookTag(id: $id, tagId: $tag) { id } }", { id: key, tag: other }),
  ),
  link: draw([own, id], (key, other) => write("PUT", `/books/${key}/tags/${other}`)),
  unlink: draw([own, id], (key, other) => write("DELETE", `/books/${key}/tags/${other}`)),
  audit: draw([id], (key) => write("POST", "/books/audit", { id: key })),
  rename: draw([id], (key) => write("POST", `/books/${key}/rename`)),
};
