import { allow, BifocalError, defineResource, deny, generate, owner, signedIn, uuid } from "@bifocal/core";
import { randomUUID } from "node:crypto";
import { z } from "zod";

/** The interface of an object store's SDK, independent of the vendor. */
export interface Bucket {
  signUpload(key: string, object: { type: string; size: number; seconds: number }): string;
  find(key: string): Promise<{ type: string; size: number } | null>;
  urlOf(key: string): string;
}

export function defineCover(bucket: Bucket) {
  const cover = defineResource("cover", {
    fields: {
      id: z.uuid(),
      ownerId: z.string(),
      type: z.enum(["image/png", "image/jpeg"]),
      size: z.int32().positive().max(5_000_000),
      url: z.url().nullable(),
      key: z.string(),
    },
    generated: { id: uuid(), key: generate(() => `covers/${randomUUID()}`) },
    internal: ["key"],
    access: { read: allow, create: deny, update: deny, delete: owner("ownerId") },
    actions: {
      start: {
        on: "collection",
        input: z.object({ type: z.enum(["image/png", "image/jpeg"]), size: z.int32().positive().max(5_000_000) }),
        output: z.object({ id: z.uuid(), uploadUrl: z.url() }),
        access: signedIn,
        run: async ({ input: { type, size }, principal, store }) => {
          const row = await store.create({ ownerId: principal?.id ?? "", type, size, url: null });
          return { id: row.id, uploadUrl: bucket.signUpload(row.key, { type, size, seconds: 300 }) };
        },
      },
      finish: {
        on: "item",
        access: owner("ownerId"),
        run: async ({ item, store }) => {
          const object = await bucket.find(item.key);
          if (object === null) throw new BifocalError("CONFLICT", "Nothing has been uploaded yet.");
          await store.update(item.id, { url: bucket.urlOf(item.key) });
        },
      },
    },
  });
  return cover;
}
