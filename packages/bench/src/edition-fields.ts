import { z } from "zod";
import { ISBN, MAX_TAG, MAX_TAGS, MAX_TITLE } from "./editions.ts";

/** The zod schemas of the fields of an edition that a client writes. */
export const editionFields = {
  title: z.string().min(1).max(MAX_TITLE),
  authorId: z.uuid(),
  year: z.int32(),
  price: z.number().nonnegative(),
  inStock: z.boolean(),
  isbn: z.string().regex(ISBN),
  tags: z.array(z.string().min(1).max(MAX_TAG)).max(MAX_TAGS),
};
