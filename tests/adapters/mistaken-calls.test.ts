import { allow, defineApi, defineResource, generate, silentLog } from "@bifocal/core";
import { expressRouter } from "@bifocal/express";
import { rateLimit } from "@bifocal/core/rate-limit";
import { bifocal } from "@bifocal/fastify";
import { bunSockets, denoSockets, fetchHandler } from "@bifocal/fetch";
import { nodeHttp, serve } from "@bifocal/node-http";
import express from "express";
import fastify from "fastify";
import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const note = defineResource("note", {
  fields: { id: z.int32() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});
const api = defineApi({ resources: [note], log: silentLog });

type Mount = (api: unknown, options?: object) => unknown;

const MOUNTS: readonly (readonly [string, Mount, string])[] = [
  ["nodeHttp", nodeHttp as Mount, "prefix"],
  ["serve", serve as Mount, "prefix"],
  ["expressRouter", expressRouter as Mount, "notFound"],
  ["fetchHandler", fetchHandler as Mount, "prefix"],
  [
    "register",
    async (api, options) => {
      await fastify().register(bifocal, { api, ...options } as never);
    },
    "notFound",
  ],
];

describe("a function of fetchHandler", () => {
  const handle = fetchHandler(api, { prefix: "/api" }) as (request: unknown) => Promise<Response>;
  const request = new Request("http://host/api/notes");

  test.each<[what: string, argument: unknown, received: string]>([
    ["nothing", undefined, "undefined"],
    ["a URL", "http://host/api/notes", "a string"],
    ["the context of Hono", { req: { raw: request }, text: () => {} }, "an object"],
    ["the request of Hono", { raw: request, url: request.url, arrayBuffer: () => {} }, "an object"],
    ["the event of Nitro", { req: request, url: new URL(request.url), headers: request.headers }, "an object"],
    ["the request of Express", { url: "/api/notes", headers: { host: "host" } }, "an object"],
  ])("rejects %s", (_, argument, received) => {
    expect(() => handle(argument)).toThrow(
      `The function of fetchHandler() must receive a Request; received ${received}. Frameworks have it as a member`,
    );
  });

  test.each<[what: string, fallback: () => unknown, received: string]>([
    ["returns nothing", () => {}, "undefined"],
    ["resolves with nothing", async () => {}, "undefined"],
    ["returns a text", () => "Not found", "a string"],
  ])("names a fallback that %s", async (_, fallback, received) => {
    const handler = fetchHandler(api, { prefix: "/api", fallback: fallback as never });
    const message = `'fallback' of fetchHandler() must return a Response; received ${received}.`;
    for (const path of ["/", "/api/unknown"]) {
      const respond = async (): Promise<Response> => handler(new Request(`http://host${path}`));
      await expect(respond()).rejects.toThrow(new TypeError(message));
    }
  });

  test("rejects addresses that are no text, and accepts null", async () => {
    const respond = async (address: unknown): Promise<number> => {
      const handler = fetchHandler(api, { prefix: "/api", address: () => address as string });
      return (await handler(request)).status;
    };
    expect(await respond(null)).toBe(200);
    const limited = defineApi({ resources: [note], log: silentLog, rateLimit: rateLimit() });
    const handler = fetchHandler(limited, { address: (async () => "127.0.0.1") as never });
    const response = await handler(new Request("http://host/notes"));
    expect(response.status).toBe(500);
  });
});

test("the plugin of Fastify rejects a call in place of its registration", async () => {
  const call = bifocal as unknown as (options: object) => Promise<void>;
  await expect(call({ api })).rejects.toThrow("register() must receive an API, the result of defineApi();");
});

test.each(["/api/*", "/:tenant", "/[[...path]]", "/{tenant}/api"])("rejects the pattern %s as a prefix", (prefix) => {
  const message = `The prefix '${prefix}' must be a fixed path without patterns, such as /api`;
  expect(() => fetchHandler(api, { prefix })).toThrow(message);
  expect(() => nodeHttp(api, { prefix })).toThrow(message);
});

test("attach and close reject what isn't a server, and unknown options", async () => {
  const listener = nodeHttp(api);
  const router = expressRouter(api);
  const app = express();
  const message = "must receive the server that listen() or createServer() returns; received";
  expect(() => listener.attach(undefined as never)).toThrow(`attach() ${message} undefined.`);
  expect(() => router.attach(app as never)).toThrow(`attach() ${message} a function.`);
  expect(() => router.attach(createServer(), { prefx: "/api" } as never)).toThrow("Did you mean 'prefix'?");
  await expect(router.close(app as never)).rejects.toThrow(`close() ${message} a function.`);
  await expect(listener.close(createServer(), { timout: 5 } as never)).rejects.toThrow("Did you mean 'timeout'?");
});

describe.each(MOUNTS)("%s, called from JavaScript,", (call, mount, option) => {
  const errorOf = async (api: unknown, options?: object): Promise<unknown> => {
    try {
      return await mount(api, options);
    } catch (thrown) {
      return thrown;
    }
  };

  test.each([
    [undefined, "undefined"],
    [{ api }, "an object"],
    [Promise.resolve(api), "a promise. Await it first"],
  ])("rejects a value that isn't an API: %o", async (value, kind) => {
    expect(await errorOf(value)).toMatchObject({
      message: `${call}() must receive an API, the result of defineApi(); received ${kind}.`,
    });
  });

  test("rejects an unknown option with the closest name", async () => {
    expect(await errorOf(api, { [`${option}s`]: "/api" })).toMatchObject({
      message: expect.stringContaining(`${call}() has no option '${option}s'. Did you mean '${option}'?`) as string,
    });
  });
});

describe("hosts", () => {
  test("denoSockets() names the functions for other hosts", () => {
    expect(() => denoSockets()).toThrow("denoSockets() works only on Deno. Use bunSockets(api) on Bun");
  });

  test("bunSockets() says how to pass Bun's server", () => {
    const sockets = bunSockets(api);
    const request = new Request("http://host/api/graphql");
    expect(() => sockets.upgrade(request, undefined, {} as never, undefined as never)).toThrow(
      "Pass it to the handler: `fetch: (request, server) => handler(request, server)`.",
    );
  });

  test("defineApi() in the global scope of workerd says where to call it", () => {
    const generated = generate(() => {
      throw new Error("Disallowed operation called within global scope.");
    });
    const made = defineResource("made", { ...note.config, generated: { id: generated } } as never);
    expect(() => defineApi({ resources: [made], log: silentLog })).toThrow("Call `defineApi` in a Durable Object");
  });
});
