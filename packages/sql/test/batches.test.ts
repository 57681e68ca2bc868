import { allow, belongsTo, defineApi, defineResource, hasMany, memoryStore, type Store } from "@bifocal/core";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { send } from "@bifocal/test-servers/request";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const fields = { id: z.int32(), post: z.int32(), kind: z.string(), parentId: z.int32().nullable() };
const shared = {
  fields,
  access,
  filterable: ["id", "post", "kind", "parentId"],
  bulk: { update: 9, delete: 9 },
} as const;

const hooked: string[] = [];
const hooks = {
  delete: {
    before: ({ item }: { readonly item: { readonly id: number } }) => void hooked.push(`before ${item.id}`),
    after: ({ item }: { readonly item: { readonly id: number } }) => void hooked.push(`after ${item.id}`),
  },
};

const comment = defineResource("comment", {
  ...shared,
  relations: {
    parent: belongsTo("comment", "parentId", { onDelete: "cascade" }),
    replies: hasMany("comment", "parentId"),
  },
  hooks,
});
const note = defineResource("note", {
  ...shared,
  relations: { parent: belongsTo("note", "parentId", { onDelete: "setNull" }), replies: hasMany("note", "parentId") },
});
const task = defineResource("task", {
  ...shared,
  relations: { parent: belongsTo("task", "parentId", { onDelete: "restrict" }), replies: hasMany("task", "parentId") },
});

function createApi(store: Store) {
  return defineApi({ resources: [comment, note, task], store });
}

const stores = [
  { name: "memory", missing: undefined, create: undefined },
  ...servers.map(({ name, missing, create }) => ({ name, missing, create })),
];

for (const { name, missing, create } of stores)
  describe.skipIf(missing !== undefined)(
    `bulk deletes and updates of related rows in a ${name} store ${missing ?? ""}`,
    () => {
      let database: TestDatabase | undefined;
      let api: ReturnType<typeof createApi>;

      beforeAll(async () => {
        database = await create?.();
      });
      afterAll(() => database?.drop());
      beforeEach(async () => {
        await database?.empty();
        api = createApi(database === undefined ? memoryStore() : sqlStore({ url: database.url, autoCreate: true }));
        await api.ready;
        for (const resource of [api.local.comment, api.local.note, api.local.task]) {
          // Rows 4 and 5 reference each other.
          for (const [id, parentId] of [
            [1, null],
            [2, 1],
            [3, 2],
            [4, null],
            [5, 4],
          ] as const) {
            await resource.create({ id, post: id < 4 ? 1 : 2, kind: "a", parentId });
          }
        }
        hooked.length = 0;
        return () => api.close();
      });

      const answer = async (method: string, url: string, body?: object): Promise<unknown> => {
        const answered = await send(api, method, url, { body });
        return [answered.status, answered.body];
      };
      const graphql = (query: string) => answer("POST", "/graphql", { query });

      test("delete all rows, even if earlier deletes cascade to later ones", async () => {
        expect(await answer("DELETE", "/comments?filter[post]=1")).toMatchObject([200, { ids: [1, 2, 3] }]);
        expect(hooked).toEqual(["before 3", "after 3", "before 2", "after 2", "before 1", "after 1"]);
        expect(await graphql("mutation { deleteComments(filter: { post: { eq: 2 } }) { count ids } }")).toMatchObject([
          200,
          { data: { deleteComments: { count: 2, ids: ["4", "5"] } } },
        ]);
        expect((await api.local.comment.list()).items).toEqual([]);
      });

      test("delete all rows, even if the filter depends on rows that are deleted with them", async () => {
        expect(await answer("DELETE", "/comments?filter[replies][some][kind]=a")).toMatchObject([
          200,
          { ids: [1, 2, 4] },
        ]);
        expect((await api.local.comment.list()).items).toEqual([]);
      });

      test("delete all rows, even if they lose the values that the filter reads", async () => {
        const query = "filter[or][0][id]=1&filter[or][1][parentId]=1";
        expect(await answer("DELETE", `/notes?${query}`)).toMatchObject([200, { ids: [1, 2] }]);
        expect((await api.local.note.list()).items.map(({ id, parentId }) => [id, parentId])).toEqual([
          [3, null],
          [4, null],
          [5, 4],
        ]);
      });

      test("delete rows that reference each other together, and never without the others", async () => {
        expect(await answer("DELETE", "/tasks?filter[id][in]=1&filter[id][in]=2")).toMatchObject([409, {}]);
        expect(await answer("DELETE", "/tasks?filter[post]=1")).toMatchObject([200, { ids: [1, 2, 3] }]);
        expect(await graphql("mutation { deleteTasks(filter: { post: { eq: 2 } }) { count } }")).toMatchObject([
          200,
          { data: { deleteTasks: { count: 2 } } },
        ]);
      });

      test("update all rows, even if the filter depends on what changes", async () => {
        expect(await answer("PATCH", "/comments?filter[parent.kind]=a", { kind: "b" })).toMatchObject([200, {}]);
        const kinds = async (): Promise<unknown> =>
          (await api.local.comment.list()).items.map(({ kind }) => kind).join("");
        expect(await kinds()).toBe("abbab");
        const filter = '{ replies: { some: { kind: { eq: "b" } } } }';
        const mutation = `mutation { updateComments(filter: ${filter}, input: { kind: "c" }) { count } }`;
        expect(await graphql(mutation)).toMatchObject([200, { data: { updateComments: { count: 3 } } }]);
        expect(await kinds()).toBe("ccbcb");
      });
    },
  );
