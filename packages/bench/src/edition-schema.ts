import { ISBN, MAX_TAG, MAX_TAGS, MAX_TITLE } from "./editions.ts";

/** The JSON schemas of an edition for Fastify. */
export const edition = {
  title: { type: "string", minLength: 1, maxLength: MAX_TITLE },
  authorId: { type: "string", format: "uuid" },
  year: { type: "integer" },
  price: { type: "number", minimum: 0 },
  inStock: { type: "boolean" },
  isbn: { type: "string", pattern: ISBN.source },
  tags: { type: "array", items: { type: "string", minLength: 1, maxLength: MAX_TAG }, maxItems: MAX_TAGS },
};
export const editionInput = {
  type: "object",
  properties: edition,
  required: Object.keys(edition),
  additionalProperties: false,
};
export const editionRow = { type: "object", properties: { id: { type: "string" }, ...edition } };
