import { allow, belongsTo, defineResource, uuid } from "@bifocal/core";
import { z } from "zod";
import { editionFields } from "../edition-fields.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };

export const author = defineResource("author", {
  fields: { id: z.uuid(), name: z.string(), country: z.string() },
  access,
});

const parts = {
  fields: { id: z.uuid(), ...editionFields },
  generated: { id: uuid() },
  relations: { author: belongsTo("author", "authorId") },
  bulk: { create: 100 },
  access,
} as const;

export const edition = defineResource("edition", parts);

/** Its `ETag` is the number of its writes instead of a hash. */
export const countedEdition = defineResource("edition", {
  ...parts,
  fields: { ...parts.fields, revision: z.int() },
  version: "revision",
});
