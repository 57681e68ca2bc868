import { allow, apiKeys, type CorsOptions, defineApi, defineResource, principalFrom } from "@bifocal/core";
import { type RateLimiter, rateLimit } from "@bifocal/core/rate-limit";
import { nodeHttp } from "@bifocal/node-http";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Running, SERVERS, say, upgradeOf } from "./servers.ts";

const note = defineResource("note", {
  fields: { id: z.int32(), text: z.string() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});

const logged: string[] = [];
const log = { info() {}, warn() {}, error: (message: string) => void logged.push(message) };
const auth = apiKeys({ "0123456789012345678901234567": { id: "ann" } });

let running: Running | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
  logged.length = 0;
});

const statusOf = (answer: string): number => Number(answer.split(" ", 2)[1]);
const connectionsOf = ({ server }: Running): Promise<number> =>
  new Promise((resolve) => server.getConnections((_, count) => resolve(count)));

describe.each(Object.entries(SERVERS))("on %s", (_, start) => {
  test.each(["/nothing", "/api/graphql?access_token=x"])(
    "keeps serving after a client that was refused at %s resets its connection",
    async (path) => {
      running = await start(defineApi({ resources: [note], auth, log }));
      for (let n = 0; n < 5; n++) {
        const { socket } = say(running.port, upgradeOf(path));
        await once(socket, "data");
        socket.resetAndDestroy();
      }
      const { came } = say(running.port, "GET /api/notes HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
      expect(statusOf(await came)).toBe(200);
    },
  );

  test("disconnects a refused client that keeps its side open", async () => {
    const here = (running = await start(defineApi({ resources: [note], log })));
    const { socket } = say(here.port, upgradeOf("/nothing"), true);
    await once(socket, "end");
    await expect.poll(() => connectionsOf(here)).toBe(0);
    socket.destroy();
  });

  test("refuses an origin if `cors.origins` throws", async () => {
    const origins: CorsOptions["origins"] = (origin) => new URL(origin).hostname.endsWith(".example.com");
    const cookies = principalFrom(() => null);
    running = await start(defineApi({ resources: [note], auth: cookies, cors: { origins, credentials: true }, log }));
    const told = async (text: string): Promise<string> => await say((running as Running).port, text).came;
    const headers = "Host: x\r\nOrigin: null\r\nConnection: close\r\n";
    const answer = await told(`GET /api/notes HTTP/1.1\r\n${headers}\r\n`);
    expect([statusOf(answer), /access-control-allow-origin/i.test(answer)]).toEqual([200, false]);
    const preflight = await told(`OPTIONS /api/notes HTTP/1.1\r\n${headers}Access-Control-Request-Method: GET\r\n\r\n`);
    expect([statusOf(preflight), /access-control-allow-origin/i.test(preflight)]).toEqual([204, false]);
    expect(statusOf(await told(upgradeOf("/api/graphql", "Origin: null")))).toBe(403);
    expect(new Set(logged)).toEqual(new Set(["`cors.origins` threw an error. The origin was rejected."]));
  });

  test("refuses sockets if the `by` function of a rate limit throws", async () => {
    const by = ({ principal }: { readonly principal: unknown }): string => (principal as { id: string }).id;
    running = await start(defineApi({ resources: [note], rateLimit: rateLimit({ by }), log }));
    expect(statusOf(await say(running.port, upgradeOf("/api/graphql")).came)).toBe(500);
    expect(logged).toEqual(["A WebSocket could not be opened."]);
  });

  test("ignores an offer of another protocol (RFC 9110 §7.8)", async () => {
    running = await start(defineApi({ resources: [note], log }));
    const offer =
      "Host: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n";
    const body = '{"query":"{ notes { totalCount } }"}';
    const content = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    const listed = await say(running.port, `GET /api/notes HTTP/1.1\r\n${offer}\r\n`).came;
    expect(listed.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200"]);
    const answers = await say(running.port, `POST /api/graphql HTTP/1.1\r\n${offer}${content}\r\n${body}`).came;
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200"]);
    expect(answers).toContain('{"data":{"notes":{"totalCount":0}}}');
  });

  test("treats the absolute form of a target as the same request (RFC 9112 §3.2.2)", async () => {
    running = await start(defineApi({ resources: [note], auth, log }));
    const { port } = running;
    const get = (target: string) => say(port, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`).came;
    const answer = await get("http://x/api/notes?page[size]=1");
    expect([statusOf(answer), answer.slice(answer.indexOf("\r\n\r\n") + 4)]).toEqual([200, "[]"]);
    expect(statusOf(await get("http://x/api/nothing"))).toBe(404);
    expect(statusOf(await say(port, upgradeOf("http://x/api/graphql?access_token=x")).came)).toBe(400);
  });

  test("rejects a credential anywhere in the query string", async () => {
    running = await start(defineApi({ resources: [note], auth, log }));
    for (const query of ["access_token=x", "a?&access_token=x"]) {
      expect(statusOf(await say(running.port, upgradeOf(`/api/graphql?${query}`)).came)).toBe(400);
    }
  });
});

test("refuses an upgrade that matches no API of the server", async () => {
  const [one, other] = ["/one", "/other"].map((prefix) =>
    nodeHttp(defineApi({ resources: [note], log }), { prefix }),
  ) as [ReturnType<typeof nodeHttp>, ReturnType<typeof nodeHttp>];
  const server = createServer(one);
  one.attach(server);
  other.attach(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  for (const prefix of ["/one", "/other"]) {
    const { socket } = say(port, upgradeOf(`${prefix}/graphql`));
    const [first] = (await once(socket, "data")) as [Buffer];
    expect(statusOf(first.toString())).toBe(101);
    socket.destroy();
  }
  expect(statusOf(await say(port, upgradeOf("/neither/graphql")).came)).toBe(404);
  await Promise.all([one.close(server), other.close(server)]);
});

test("counts sockets that wait for a rate limit", async () => {
  const asked: (() => void)[] = [];
  const limiter: RateLimiter = { take: () => new Promise((resolve) => asked.push(() => resolve(undefined))) };
  const limits = { subscriptions: { openingSockets: 2, sockets: 3 } };
  running = await (SERVERS["node-http"] as (typeof SERVERS)[string])(
    defineApi({ resources: [note], rateLimit: limiter, limits, trustedProxies: ["127.0.0.1"], log }),
  );
  const { port } = running;
  const open = (address: string) => say(port, upgradeOf("/api/graphql", `X-Forwarded-For: ${address}`));
  const held = [open("10.0.0.1"), open("10.0.0.1"), open("10.0.0.2")];
  await expect.poll(() => asked.length).toBe(3);
  expect(statusOf(await open("10.0.0.3").came)).toBe(503);
  held[2]?.socket.destroy();
  const firsts = held.slice(0, 2).map(async ({ socket }) => statusOf(String(await once(socket, "data"))));
  for (const answer of asked.splice(0)) answer();
  expect(await Promise.all(firsts)).toEqual([101, 101]);
  expect(statusOf(await open("10.0.0.1").came)).toBe(429);
  for (const { socket } of held) socket.destroy();
});
