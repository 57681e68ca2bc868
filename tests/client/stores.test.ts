import { type RunningBookstore, startBookstore } from "@bifocal/example-bookstore/start";
import { sqlStore } from "@bifocal/sql";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { afterAll, beforeAll, describe } from "vitest";
import { connector, KEYS, LENSES } from "./bookstores.ts";
import { testClient } from "./test-client.ts";

describe.each(Object.entries(LENSES))("over %s", (_, lens) => {
  describe.each(["node-http", "express", "fastify"] as const)("in memory, on %s", (adapter) => {
    let store: RunningBookstore;
    beforeAll(async () => {
      store = await startBookstore({ adapter, port: 0, keys: KEYS });
    });
    afterAll(() => store?.close());
    testClient(connector(() => store.url, lens));
  });

  describe.each(servers)("on $name", ({ missing, create }) => {
    describe.skipIf(missing !== undefined)("with its own database", () => {
      let store: RunningBookstore;
      let database: TestDatabase;
      beforeAll(async () => {
        database = await create();
        const own = sqlStore({ url: database.url, autoCreate: true, max: 4 });
        store = await startBookstore({ adapter: "node-http", port: 0, keys: KEYS, store: own });
      });
      afterAll(async () => {
        await store?.close();
        await database?.drop();
      });
      testClient(connector(() => store.url, lens));
    });
  });
});
