import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { allow, type AnyApi, defineApi, defineResource, silentLog } from "@bifocal/core";
import { nodeHttp } from "@bifocal/node-http";
import { sqlStore } from "@bifocal/sql";
import { servers } from "@bifocal/test-servers";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";

const access = { read: allow, create: allow, update: allow, delete: allow };
const fields = { id: z.int32(), title: z.string() };
const added = { subtitle: z.string().nullable().default(null) };
const counted = { ...fields, revision: z.int32() };
/** The model of the deployed version, and that of the next one with another field. */
const models = {
  hashed: [
    defineResource("book", { fields, access }),
    defineResource("book", { fields: { ...fields, ...added }, access }),
  ],
  versioned: [
    defineResource("book", { fields: counted, version: "revision", access }),
    defineResource("book", { fields: { ...counted, ...added }, version: "revision", access }),
  ],
} as const;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function serve(api: AnyApi): Promise<string> {
  const server: Server = createServer(nodeHttp(api));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
    await api.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

for (const { name, missing, create } of servers)
  describe.skipIf(missing !== undefined)(`two versions of a model during a rolling deployment, on ${name}`, () => {
    async function start(kind: keyof typeof models): Promise<readonly [before: string, after: string]> {
      const database = await create();
      closing.push(() => database.drop());
      const log = silentLog;
      const [before, after] = models[kind];
      const url = database.url;
      const next = defineApi({ resources: [after], store: sqlStore({ url, autoCreate: true }), log });
      await next.ready;
      const first = defineApi({ resources: [before], store: sqlStore({ url, autoCreate: false }), log });
      return [await serve(first), await serve(next)];
    }

    const headers = { "content-type": "application/json" };
    const patch = (base: string, etag: string, body: object): Promise<Response> =>
      fetch(`${base}/books/1`, {
        method: "PATCH",
        headers: { ...headers, "if-match": etag },
        body: JSON.stringify(body),
      });
    async function etagOf(base: string): Promise<string> {
      return (await fetch(`${base}/books/1`)).headers.get("etag") as string;
    }

    test("have different ETags without a version field, so that If-Match returns 412", async () => {
      const [before, after] = await start("hashed");
      const body = JSON.stringify({ id: 1, title: "Emma" });
      expect((await fetch(`${before}/books`, { method: "POST", headers, body })).status).toBe(201);
      expect(await etagOf(before)).not.toBe(await etagOf(after));
      expect((await patch(after, await etagOf(before), { title: "x" })).status).toBe(412);
      // The client reads from the same instance again, and repeats its change.
      expect((await patch(after, await etagOf(after), { title: "x" })).status).toBe(200);
    });

    test("have the same ETags with a version field, and neither overwrites a change of the other", async () => {
      const [before, after] = await start("versioned");
      const body = JSON.stringify({ id: 1, title: "Emma" });
      expect((await fetch(`${before}/books`, { method: "POST", headers, body })).status).toBe(201);
      const etag = await etagOf(before);
      expect(await etagOf(after)).toBe(etag);
      expect((await patch(after, etag, { subtitle: "A novel" })).status).toBe(200);
      // The other instance doesn't know this field, and still rejects a stale version.
      expect((await patch(before, etag, { title: "Persuasion" })).status).toBe(412);
      expect((await patch(before, await etagOf(after), { title: "Persuasion" })).status).toBe(200);
    });
  });
