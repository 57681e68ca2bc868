import { expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  defineApi,
  defineResource,
  hasRole,
  manyToMany,
  memoryBus,
  memoryStore,
  type Principal,
} from "../../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const ED: Principal = { id: "ed", roles: ["editor"] };

/** Books with tags for editors only and public shelves. A box is visible to callers who can see its contents. */
function createBooks() {
  const tag = defineResource("tag", {
    fields: { id: z.int32() },
    access,
    relations: { books: manyToMany("book"), boxes: manyToMany("box") },
  });
  const shelf = defineResource("shelf", { fields: { id: z.int32() }, access });
  const stamp = defineResource("stamp", { fields: { id: z.int32() }, access: { ...access, read: hasRole("editor") } });
  const book = defineResource("book", {
    fields: { id: z.int32(), title: z.string(), hash: z.string().nullable() },
    internal: ["hash"],
    secret: ["hash"],
    access: { ...access, relations: { tags: { read: hasRole("editor") } } },
    relations: { tags: manyToMany("tag"), shelves: manyToMany("shelf"), stamps: manyToMany("stamp") },
    actions: {
      rehash: { on: "item", access: allow, run: ({ item, store }) => store.update(item.id, { hash: "other" }) },
    },
  });
  const box = defineResource("box", {
    fields: { id: z.int32() },
    access: {
      ...access,
      read: ({ principal }) => principal !== null || { tags: { some: { id: { eq: 1 } } } },
      relations: { tags: { read: hasRole("editor") } },
    },
    relations: { tags: manyToMany("tag") },
  });
  const rows = { tag: [{ id: 1 }], shelf: [{ id: 1 }], stamp: [{ id: 1 }], box: [{ id: 1 }] };
  return defineApi({
    resources: [tag, shelf, stamp, book, box],
    events: memoryBus(),
    store: memoryStore({ data: { ...rows, book: [{ id: 1, title: "Emma", hash: null }] } }),
  });
}

type Api = ReturnType<typeof createBooks>;

/** The kinds of changes that a subscriber receives for `act`, up to a new book. */
async function heard(who: Principal | null, act: (api: Api) => Promise<unknown>): Promise<readonly string[]> {
  const api = createBooks();
  const changes = api.as(who).book.watch();
  const kinds: string[] = [];
  const reading = (async () => {
    for await (const change of changes) {
      if (change.item.id === 2) break;
      kinds.push(change.kind);
    }
  })();
  await act(api);
  await api.local.book.create({ id: 2, title: "End" });
  await reading;
  return kinds;
}

test.each<[change: string, who: Principal | null, (api: Api) => Promise<unknown>, kinds: readonly string[]]>([
  ["a link along a relation that it cannot read", null, (api) => api.as(ED).book.link(1, "tags", 1), []],
  ["the same link, seen from the other side", null, (api) => api.as(ED).tag.link(1, "books", 1), []],
  ["a link along a relation to rows that it cannot read", null, (api) => api.as(ED).book.link(1, "stamps", 1), []],
  ["a link along a relation that it can read", null, (api) => api.as(ED).book.link(1, "shelves", 1), ["updated"]],
  ["a link along a relation for editors, as an editor", ED, (api) => api.as(ED).book.link(1, "tags", 1), ["updated"]],
  [
    "a link along a relation for editors from its other side, as an editor",
    ED,
    (api) => api.as(ED).tag.link(1, "books", 1),
    ["updated"],
  ],
  ["a change of a secret of the row", null, (api) => api.local.book.actions.rehash(1), []],
])("sends a subscriber the right events for %s", async (_change, who, act, kinds) => {
  expect(await heard(who, act)).toEqual(kinds);
});

test("sends an update to a subscriber when a link brings a row into its view", async () => {
  const api = createBooks();
  const changes = api.local.box.watch();
  const first = changes.next();
  await new Promise((done) => setTimeout(done, 20));
  await api.as(ED).box.link(1, "tags", 1);
  expect((await first).value).toMatchObject({ kind: "updated", item: { id: 1 } });
  await changes.return?.();
});
