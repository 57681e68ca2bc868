import { get, type IncomingMessage } from "node:http";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { allow, defineApi, defineResource, silentLog } from "@bifocal/core";
import { scalar } from "@bifocal/scalar";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Running, SERVERS } from "./servers.ts";

const note = defineResource("note", {
  fields: { id: z.int32() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});

/** `fetch` would decompress the body. */
async function read(running: Running, path: string, encoding: string) {
  const { port } = running;
  const sent = get({ port, host: "127.0.0.1", path: `/api${path}`, headers: { "accept-encoding": encoding } });
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return { headers: response.headers, body: await buffer(response) };
}

describe.each(Object.entries(SERVERS))("on %s", (_, start) => {
  let running: Running;
  beforeAll(async () => {
    running = await start(defineApi({ resources: [note], log: silentLog, docs: scalar() }));
  });
  afterAll(() => running.close());

  test.each(["/-/page.css", "/-/scalar.js?v=1"])("%s is sent with gzip to browsers", async (path) => {
    const compressed = await read(running, path, "gzip, deflate, br");
    const whole = await read(running, path, "identity");
    expect([compressed, whole].map(({ headers }) => [headers["content-encoding"], headers.vary])).toEqual([
      ["gzip", "Accept-Encoding"],
      [undefined, "Accept-Encoding"],
    ]);
    expect(compressed.headers["content-length"]).toBe(String(compressed.body.length));
    expect(compressed.body.length).toBeLessThan(0.4 * whole.body.length);
    expect(gunzipSync(compressed.body).equals(whole.body)).toBe(true);
  });
});
