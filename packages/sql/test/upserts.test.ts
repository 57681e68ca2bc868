import { allow, defineApi, defineResource, manyToMany, memoryStore, type Store } from "@bifocal/core";
import { servers } from "@bifocal/test-servers";
import { expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const page = defineResource("page", {
  fields: { slug: z.string(), title: z.string() },
  key: "slug",
  upsert: true,
  relations: { tags: manyToMany("tag", { links: 3 }) },
  access,
});
const tag = defineResource("tag", {
  fields: { id: z.int32() },
  relations: { pages: manyToMany("page") },
  access,
  bulk: { create: 5 },
});

const replace = (api: ReturnType<typeof createApi>, slug: string, tags?: readonly number[]): Promise<unknown> =>
  api.local.page
    .replace(
      slug,
      { slug, title: slug, ...(tags !== undefined && { tags }) },
      { select: { tags: { select: { id: true } } } },
    )
    .catch((thrown: { readonly code?: string }) => thrown.code);

function createApi(store: Store) {
  return defineApi({ resources: [page, tag], store });
}

/** Replaces pages that exist and pages that don't, some of them at the same time. */
async function replaceAll(store: Store): Promise<unknown> {
  const api = createApi(store);
  try {
    await api.local.tag.createMany([1, 2, 3].map((id) => ({ id })));
    const results = [
      await replace(api, "a", [1, 2]),
      await replace(api, "a", [2, 3]),
      await replace(api, "a"),
      await replace(api, "b", [1, 9]),
      await replace(api, "c", []),
    ];
    // The second of them replaces the row that the first has created.
    const both = await Promise.all([replace(api, "d", [1, 2]), replace(api, "d", [1, 2])]);
    const { items } = await api.local.page.list({ select: { slug: true, tags: { select: { id: true } } } });
    return [results, both, items];
  } finally {
    await api.close();
  }
}

const tags = (...ids: readonly number[]) => ({ tags: ids.map((id) => ({ id })) });
const REPLACED = [
  [tags(1, 2), tags(2, 3), tags(2, 3), "VALIDATION_FAILED", tags()],
  [tags(1, 2), tags(1, 2)],
  [
    { slug: "a", ...tags(2, 3) },
    { slug: "c", ...tags() },
    { slug: "d", ...tags(1, 2) },
  ],
];

test("memoryStore links rows to a page that a replacement creates", async () => {
  expect(await replaceAll(memoryStore())).toEqual(REPLACED);
});

for (const { name, missing, create } of servers) {
  test.skipIf(missing !== undefined)(`${name} links rows to a page that a replacement creates`, async () => {
    const database = await create();
    try {
      expect(await replaceAll(sqlStore({ url: database.url, autoCreate: true }))).toEqual(REPLACED);
    } finally {
      await database.drop();
    }
  });
}
