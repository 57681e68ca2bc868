import { allow, type Api, belongsTo, defineApi, defineResource, hasMany } from "@bifocal/core";
import { servers, startTcpProxy, type TcpProxy, type TestDatabase } from "@bifocal/test-servers";
import { request } from "@bifocal/test-servers/request";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore, type SqlStore } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access,
});
const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), authorId: z.int32() },
  relations: { author: belongsTo("author", "authorId") },
  access,
});
const REQUEST = request("GET", "/authors?fields=name,books.title", { headers: { accept: "application/json" } });

/** Text that only one of the plans sends: the single statement concatenates text, the other plan reads the books per author. */
const TEXT = { one: "string_agg", flat: "unnest" };
// The proxy recognizes the statements of PostgreSQL.
describe.each(servers.filter(({ name, missing }) => name === "postgres" && missing === undefined))(
  "$name",
  ({ create }) => {
    let database: TestDatabase;
    let proxy: TcpProxy;
    let api: Api<typeof author | typeof book>;
    let store: SqlStore;

    beforeAll(async () => {
      database = await create();
      const { hostname, port } = new URL(database.url);
      proxy = await startTcpProxy({ host: hostname, port: Number(port || 5432) });
      // Without prepared statements, the text of each statement passes the proxy.
      store = sqlStore({ url: proxy.urlOf(database.url), autoCreate: true, prepare: false });
      api = defineApi({ resources: [author, book], store, warnings: false });
      for (let id = 1; id <= 3; id++) await api.local.author.create({ id, name: `Author ${id}` });
      for (let id = 1; id <= 9; id++) await api.local.book.create({ id, title: `Book ${id}`, authorId: 1 + (id % 3) });
    }, 30_000);
    afterAll(async () => {
      await api.close();
      await proxy.close();
      await database.drop();
    });

    async function read(): Promise<string> {
      const response = await api.handle(REQUEST);
      expect(response?.status).toBe(200);
      return response?.body as string;
    }
    /** Reads until the store has measured that a plan is faster. Returns the texts of the responses. */
    async function readUntil(plan: string): Promise<ReadonlySet<string>> {
      const texts = new Set<string>();
      const reason = `${plan}: the other plan took `;
      for (let n = 1; n % 20 > 0 || !(await choice()).choices[0]?.startsWith(reason); n++) texts.add(await read());
      return texts;
    }
    async function choice(): Promise<{ readonly choices: readonly string[]; readonly statements: number }> {
      const { choices, statements } = await store.explain(read);
      return { choices, statements: statements.length };
    }

    test.each([
      { slow: "one", text: "a statement for each level", statements: 2 },
      { slow: "flat", text: "one statement", statements: 1 },
      { slow: "one", text: "a statement for each level", statements: 2 },
    ] as const)(
      "reads with $text while the other plan is slow",
      async ({ slow, text, statements }) => {
        proxy.delayText(TEXT[slow], 30);
        // Both plans return the same.
        expect((await readUntil(text)).size).toBe(1);
        const found = await choice();
        expect(found.choices).toEqual([expect.stringMatching(/ the other plan took [\d.]+ times as long$/)]);
        expect(found.statements).toBe(statements);
      },
      120_000,
    );
  },
);
