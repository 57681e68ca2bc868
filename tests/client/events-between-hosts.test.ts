import { servers, type TestDatabase } from "@bifocal/test-servers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAX_START_MS, MISSING, type RunningHost, RUNTIMES, startNodeHttp } from "../runtimes/host.ts";
import { connector, EDEN, KEYS, LEM, LENSES } from "./bookstores.ts";
import { fill } from "./test-hosts.ts";

const HOSTS = [
  ...RUNTIMES.filter(({ name }) => /^(?:Bun|Deno|workerd)$/.test(name)),
  { name: "node:http", start: startNodeHttp },
];
const DATABASES = servers.filter(({ name, missing }) => name !== "sqlite" && missing === undefined);
const BOOKS_OF_LEM = 2;
/** Without a bus, each round would take up to a second, because instances then read the log once a second. */
const [ROUNDS, MAX_MS_WITH_BUS, MAX_MS_WITHOUT] = [16, 10_000, 30_000];

/** Instances on one database. PostgreSQL notifies them of events; on other databases without a bus, each one reads the log. */
describe.skipIf(MISSING !== undefined).each(DATABASES)(
  `hosts that share $name ${MISSING ?? ""}`,
  ({ name, create }) => {
    let running: readonly RunningHost[] = [];
    let database: TestDatabase | undefined;
    beforeAll(async () => {
      database = await create();
      await fill(database.url);
      const bookstore = { keys: KEYS, database: database.url, secret: "0123456789abcdef0123456789abcdef" };
      running = await Promise.all(HOSTS.map(({ start }) => start(bookstore)));
    }, MAX_START_MS);
    afterAll(async () => {
      await Promise.all(running.map(({ close }) => close()));
      await database?.drop();
    }, MAX_START_MS);

    const urls = (): string[] => running.map(({ port }) => `http://127.0.0.1:${port}`);

    test("send the writes of each to the watchers of all", { timeout: 60_000 }, async () => {
      const ending = new AbortController();
      const query = { filter: { authorId: { eq: LEM } }, select: { title: true }, signal: ending.signal } as const;
      const seen: { readonly title: string; readonly id: string }[][] = [];
      let current = 0;
      const watching = urls().map(async (url, at) => {
        const { book } = connector(() => url, LENSES.REST)("reader");
        const own: { title: string; id: string }[] = (seen[at] = []);
        for await (const change of book.watch({ ...query, initial: true })) {
          if (change.kind === "current") current++;
          else own.push({ title: "item" in change ? change.item.title : change.kind, id: change.id });
        }
      });
      const written: string[] = [];
      const write = async (): Promise<void> => {
        const url = urls()[written.length % HOSTS.length] ?? "";
        const title = `Shared ${String(written.length).padStart(2, "0")}`;
        const lens = written.length % 2 === 0 ? LENSES.GraphQL : LENSES.REST;
        await connector(() => url, lens)("editor").book.create({ ...EDEN, title });
        written.push(title);
      };
      try {
        await expect.poll(() => current).toBe(HOSTS.length * BOOKS_OF_LEM);
        const rounds = name === "postgres" ? ROUNDS : HOSTS.length;
        const start = performance.now();
        for (let round = 0; round < rounds; round++) {
          await write();
          const titles = (): string[][] => seen.map((own) => own.map(({ title }) => title));
          await expect.poll(titles, { interval: 10 }).toEqual(HOSTS.map(() => written));
        }
        expect(performance.now() - start).toBeLessThan(name === "postgres" ? MAX_MS_WITH_BUS : MAX_MS_WITHOUT);

        // A client that reconnects may reach another instance.
        const after = seen[0]?.at(-3)?.id ?? "";
        const resumed = urls().map(async (url) => {
          const changes = connector(() => url, LENSES.REST)("reader").book.watch({ ...query, after });
          return [await changes.next(), await changes.next()].map(({ value }) => value?.kind !== "reset" && value);
        });
        const missed = written.slice(-2).map((title) => ({ kind: "created", item: { title } }));
        expect(await Promise.all(resumed)).toMatchObject(HOSTS.map(() => missed));
      } finally {
        ending.abort();
        await Promise.all(watching);
      }
    });
  },
);
