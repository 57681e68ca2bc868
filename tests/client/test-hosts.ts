import { createBookstore } from "@bifocal/example-bookstore/create";
import { sqlStore } from "@bifocal/sql";
import { servers, type TestDatabase, type TestServer } from "@bifocal/test-servers";
import { afterAll, beforeAll, describe } from "vitest";
import { type Host, HOSTS, MAX_START_MS, MISSING, type RunningHost } from "../runtimes/host.ts";
import { connector, KEYS, LENSES } from "./bookstores.ts";
import { testDisconnections } from "./disconnections.ts";
import { testReconnections } from "./reconnections.ts";
import { testClient } from "./test-client.ts";

interface HostedStore {
  readonly store: string;
  readonly server?: TestServer;
}

/** Tests the client with bookstores on every host, in memory and with each database that the host has a driver for. */
export function testHosts(lens: keyof typeof LENSES): void {
  describe.skipIf(MISSING !== undefined).each(HOSTS)(`over ${lens} on $name ${MISSING ?? ""}`, (host) => {
    describe.each(storesOf(host))("$store", ({ server }) => {
      let running: RunningHost;
      let database: TestDatabase | undefined;
      beforeAll(async () => {
        database = await server?.create();
        if (database !== undefined) await fill(database.url);
        running = await host.start({ keys: KEYS, database: database?.url });
      }, MAX_START_MS);
      afterAll(async () => {
        await running?.close();
        await database?.drop();
      }, MAX_START_MS);
      testClient(
        connector(() => `http://127.0.0.1:${running.port}`, LENSES[lens]),
        host.lacksSockets,
      );
      // A client has disconnected before a lens matters.
      if (server === undefined || lens !== "REST") return;
      const own = {
        connect: connector(() => `http://127.0.0.1:${running.port}`, LENSES[lens]),
        url: () => `http://127.0.0.1:${running.port}`,
        database: () => database?.url ?? "",
        lacksDisconnects: host.lacksDisconnects === true,
      };
      describe("disconnections", () => {
        testDisconnections(own);
      });
      describe("reconnections", () => {
        testReconnections(own);
      });
    });
  });
}

/** Memory, and the databases that are available and that a host has a driver for. */
export function storesOf({ lacksSqlite = false }: Pick<Host, "lacksSqlite"> = {}): readonly HostedStore[] {
  const available = servers.filter(({ name, missing }) => missing === undefined && !(lacksSqlite && name === "sqlite"));
  return [{ store: "in memory" }, ...available.map((server) => ({ store: `with ${server.name}`, server }))];
}

/** Creates the tables and rows of a bookstore in a database. Hosts whose modules are CommonJS can't wait for that before they listen. */
export async function fill(url: string): Promise<void> {
  const bookstore = createBookstore({ store: sqlStore({ url, autoCreate: true, max: 1 }), keys: KEYS });
  await bookstore.fill();
  await bookstore.api.close();
}
