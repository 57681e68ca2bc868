import { type ClientOptions, createClient, graphqlLens, type Lens, restLens } from "@bifocal/client";
import type { BookstoreApi, RunningBookstore } from "@bifocal/example-bookstore/start";
import { startBookstore } from "@bifocal/example-bookstore/start";
import { sqlStore } from "@bifocal/sql";
import { servers } from "@bifocal/test-servers";
import { afterAll, beforeAll, describe } from "vitest";
import { type Host, HOSTS, MAX_START_MS, MISSING, type RunningHost } from "../runtimes/host.ts";

/** Demo keys of callers. */
export const KEYS = {
  reader: "reader-key-for-tests",
  "reader:ben": "ben-key-for-tests",
  "author:ursula": "ursula-key-for-tests",
  editor: "editor-key-for-tests",
  admin: "admin-key-for-tests",
} as const;
export type Caller = keyof typeof KEYS;

export const LENSES: readonly (readonly [name: string, lens: () => Lens])[] = [
  ["REST", () => restLens()],
  ["GraphQL", () => graphqlLens()],
];

/** Returns the client of a caller. Without one, it is anonymous. */
export type Connect = (as?: Caller, options?: Partial<ClientOptions>) => ReturnType<typeof connectTo>;

function connectTo(options: ClientOptions) {
  return createClient<BookstoreApi>(options);
}

/** Defines tests with a function that connects clients. `host` is undefined for Bifocal's own adapters on Node. */
export type Define = (connect: Connect, host?: Pick<Host, "lacksSockets">) => void;

/** Runs tests with each lens against a bookstore of its own: on every store, and in memory on every adapter and host. */
export function onEachStore(define: Define): void {
  describe.each(LENSES)("over %s", (_, lens) => {
    describe.each(["node-http", "express", "fastify"] as const)("in memory, on %s", (adapter) => {
      let store: RunningBookstore;
      beforeAll(async () => {
        store = await startBookstore({ adapter, port: 0, keys: KEYS });
      });
      afterAll(() => store?.close());
      define(connector(() => store.url, lens));
    });
    describe.each(servers)("on $name", ({ missing, create }) => {
      describe.skipIf(missing !== undefined)("with its own database", () => {
        let store: RunningBookstore;
        let database: Awaited<ReturnType<typeof create>>;
        beforeAll(async () => {
          database = await create();
          const own = sqlStore({ url: database.url, autoCreate: true, max: 4 });
          store = await startBookstore({ adapter: "node-http", port: 0, keys: KEYS, store: own });
        });
        afterAll(async () => {
          await store?.close();
          await database?.drop();
        });
        define(connector(() => store.url, lens));
      });
    });
    describe.skipIf(MISSING !== undefined).each(HOSTS)(`on $name ${MISSING ?? ""}`, (host) => {
      let running: RunningHost;
      beforeAll(async () => {
        running = await host.start({ keys: KEYS });
      }, MAX_START_MS);
      afterAll(() => running?.close());
      define(
        connector(() => `http://127.0.0.1:${running.port}`, lens),
        host,
      );
    });
  });
}

function connector(url: () => string, lens: () => Lens): Connect {
  return (as, options) =>
    connectTo({
      url: url(),
      lens: lens(),
      ...(as === undefined ? {} : { headers: { authorization: `Bearer ${KEYS[as]}` } }),
      ...options,
    });
}

/** The ids of rows in the small data set. */
export const seeded = {
  author: (number: number): string => `a0000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
  book: (number: number): string => `b0000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
  review: (number: number): string => `c0000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
};

export const AUSTEN: string = seeded.author(1);
export const LEM: string = seeded.author(3);
export const EMMA: string = seeded.book(1);
export const DRAFT: string = seeded.book(12);

/** The input of a new book. */
export const EDEN = { title: "Eden", authorId: LEM, genre: "novel", price: 9, publishedAt: "1959-01-01" } as const;
