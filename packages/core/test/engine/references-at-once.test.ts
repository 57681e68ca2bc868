import { expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  belongsTo,
  defineApi,
  defineResource,
  hasRole,
  memoryStore,
  type Principal,
  silentLog,
} from "../../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const ED: Principal = { id: "ed", roles: ["editor"] };

function createLibrary() {
  const author = defineResource("author", { fields: { id: z.int32() }, access });
  const draft = defineResource("draft", { fields: { id: z.int32() }, access: { ...access, read: hasRole("editor") } });
  const book = defineResource("book", {
    fields: { id: z.int32(), authorId: z.int32(), draftId: z.int32().nullable() },
    relations: { author: belongsTo("author", "authorId"), draft: belongsTo("draft", "draftId") },
    access,
  });
  const data = { author: [{ id: 1 }, { id: 2 }], draft: [{ id: 1 }], book: [{ id: 1, authorId: 2, draftId: null }] };
  return defineApi({ resources: [author, draft, book], store: memoryStore({ data }), log: silentLog });
}

const missing = { code: "VALIDATION_FAILED", issues: [{ code: "unknown_reference" }] };

test.each([
  ["created", (api: ReturnType<typeof createLibrary>) => api.local.book.create({ id: 2, authorId: 1, draftId: null })],
  ["updated", (api: ReturnType<typeof createLibrary>) => api.local.book.update(1, { authorId: 1 })],
])("a row isn't %s with a reference to a row that a running transaction deletes", async (_, write) => {
  const api = createLibrary();
  let transaction: Promise<unknown> | undefined;
  const end = await new Promise<() => void>((isDeleted) => {
    transaction = api.transaction(async (local) => {
      await local.author.delete(1);
      await new Promise<void>((mayEnd) => isDeleted(mayEnd));
    });
  });
  const written = write(api).catch((thrown: unknown) => thrown);
  end();
  await transaction;
  expect(await written).toMatchObject(missing);
});

test("a reference to a row that the caller can't see is rejected, like one to a missing row", async () => {
  const api = createLibrary();
  const create = (who: Principal | null, id: number, draftId: number) =>
    api.as(who).book.create({ id, authorId: 1, draftId });
  await expect(create(null, 2, 1)).rejects.toMatchObject(missing);
  await expect(create(ED, 2, 7)).rejects.toMatchObject(missing);
  await expect(create(ED, 2, 1)).resolves.toMatchObject({ id: 2, draftId: 1 });
});
