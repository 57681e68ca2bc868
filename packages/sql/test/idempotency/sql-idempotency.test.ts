import { randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import type { IdempotencyStore } from "@bifocal/core";
import { servers, startTcpProxy, type TestDatabase } from "@bifocal/test-servers";
import { claimOf, idempotencyCases } from "@bifocal/test-servers/idempotency-cases";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sqlIdempotency } from "../../src/index.ts";

for (const { name, missing, create } of servers)
  describe.skipIf(missing !== undefined)(`idempotency keys in ${name} ${missing ?? ""}`, () => {
    let database: TestDatabase;
    let stores: readonly ReturnType<typeof sqlIdempotency>[];
    beforeAll(async () => {
      database = await create();
      stores = [sqlIdempotency(database.url), sqlIdempotency({ url: database.url })];
    });
    afterAll(async () => {
      for (const store of stores ?? []) await store.close();
      await database?.drop();
    });

    idempotencyCases(() => stores as unknown as readonly [IdempotencyStore, IdempotencyStore]);

    test.skipIf(name === "sqlite")(
      "are UNAVAILABLE soon while the database is down, and recover without a restart",
      async () => {
        const { hostname, port } = new URL(database.url);
        const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
        await proxy.refuse();
        const store = sqlIdempotency(proxy.urlOf(database.url));
        const claim = async (): Promise<string> =>
          Promise.resolve(store.claim(claimOf(randomUUID()))).then(
            ({ kind }) => kind,
            (thrown: { readonly code: string }) => thrown.code,
          );
        expect(await claim()).toBe("UNAVAILABLE");
        await proxy.accept();
        expect(await claim()).toBe("new");
        await proxy.refuse();
        expect(await claim()).toBe("UNAVAILABLE");
        await proxy.accept();
        await expect.poll(claim, { timeout: 10_000 }).toBe("new");
        await store.close();
        await proxy.close();
      },
      20_000,
    );

    test.skipIf(name !== "sqlite")(
      "wait for other writers of the same file up to the operation timeout",
      async () => {
        const [store] = stores;
        await store?.claim(claimOf(randomUUID()));
        const other = new DatabaseSync(database.url.replace(/^sqlite:/, ""));
        other.exec("begin immediate");
        setTimeout(() => other.exec("commit"), 6_000);
        expect(await store?.claim(claimOf(randomUUID()))).toEqual({ kind: "new" });
        other.close();
      },
      20_000,
    );
  });
