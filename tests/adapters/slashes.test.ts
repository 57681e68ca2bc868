import {
  allow,
  type AnyApi,
  defineApi,
  defineResource,
  hasMany,
  belongsTo,
  memoryStore,
  silentLog,
} from "@bifocal/core";
import { expressRouter } from "@bifocal/express";
import { bifocal } from "@bifocal/fastify";
import { nodeHttp } from "@bifocal/node-http";
import createExpress from "express";
import createFastify, { type FastifyServerOptions } from "fastify";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { say } from "./servers.ts";

const shelf = defineResource("shelf", {
  fields: { id: z.int32(), name: z.string() },
  relations: { notes: hasMany("note", "shelfId") },
  access: { read: allow, create: allow, update: allow, delete: allow },
});
const note = defineResource("note", {
  fields: { id: z.int32(), text: z.string(), shelfId: z.int32() },
  relations: { shelf: belongsTo("shelf", "shelfId") },
  access: { read: allow, create: allow, update: allow, delete: allow },
  sortable: ["text"],
});
const newApi = (): AnyApi =>
  defineApi({
    resources: [shelf, note],
    store: memoryStore({
      data: {
        shelf: [{ id: 1, name: "one" }],
        note: [1, 2, 3].map((id) => ({ id, text: `${id}`, shelfId: 1 })),
      },
    }),
    log: silentLog,
  });

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function listening(server: Server, close: () => Promise<void>): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(close);
  return (server.address() as AddressInfo).port;
}
const onExpress = async (mount: string | RegExp): Promise<number> => {
  const router = expressRouter(newApi());
  const server = createServer(createExpress().use(mount, router) as Parameters<typeof createServer>[1]);
  return listening(server, () => router.close(server));
};
const onFastify = async (prefix: string, options: FastifyServerOptions = {}): Promise<number> => {
  const app = createFastify(options);
  await app.register(bifocal, { api: newApi(), prefix });
  await app.listen({ port: 0, host: "127.0.0.1" });
  closers.push(() => app.close());
  return (app.server.address() as AddressInfo).port;
};
const onNode = async (prefix: string): Promise<number> => {
  const listener = nodeHttp(newApi(), { prefix });
  const server = createServer(listener);
  return listening(server, () => listener.close(server));
};
const LENIENT = { routerOptions: { ignoreDuplicateSlashes: true, ignoreTrailingSlash: true, caseSensitive: false } };

const SERVERS: Readonly<Record<string, () => Promise<number>>> = {
  "node-http at /api": () => onNode("/api"),
  "node-http at the root": () => onNode(""),
  "express at /api": () => onExpress("/api"),
  "express at the root": () => onExpress("/"),
  "express at a parameter": () => onExpress("/:tenant"),
  "express at a pattern": () => onExpress(/^.*[/]api(?=[/]|$)/),
  "fastify at /api": () => onFastify("/api"),
  "fastify at the root": () => onFastify(""),
  "fastify at /api, which ignores duplicate slashes": () => onFastify("/api", LENIENT),
  "fastify at the root, which ignores duplicate slashes": () => onFastify("", LENIENT),
};

const MOUNTS = [
  "",
  "/",
  "/api",
  "//api",
  "///api",
  "/api/",
  "//api//",
  "/API",
  "//evil.example/api",
  "/\\evil.example/api",
];
const MORE_MOUNTS = ["/\\evil.example", "/%2Fapi", "/%5Cevil.example", "//evil.example", "/%61pi"];
const PATHS = [
  "/notes",
  "//notes",
  "/notes/",
  "/notes/1",
  "/notes//1",
  "/notes/99",
  "/nothing",
  "//",
  "/",
  "/shelves/1/notes",
];
const TYPES = ["application/json", "text/html", "application/vnd.api+json", "application/hal+json", "application/xml"];

interface Reply {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

async function send(port: number, method: string, target: string, accept: string, body = ""): Promise<Reply> {
  const length = body === "" ? "" : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  const lines = `Host: api.example\r\nAccept: ${accept}\r\nConnection: close\r\n${length}`;
  const text = await say(port, `${method} ${target} HTTP/1.1\r\n${lines}\r\n${body}`).came;
  const end = text.indexOf("\r\n\r\n");
  return { status: Number(text.split(" ", 2)[1]), head: text.slice(0, end), body: text.slice(end + 4) };
}

/** Every URL that a response of the API prints. */
function urlsIn({ head, body }: Reply): readonly string[] {
  const links = /^link: (.*)$/im.exec(head)?.[1] ?? "";
  const inHead = [...links.matchAll(/<([^>]*)>/g)].map(([, url]) => url as string);
  const location = /^location: (.*)$/im.exec(head)?.[1];
  const inHtml = [...body.matchAll(/ (?:href|src|action|data-url)="(?!data:)([^"]*)"/g)].map(
    ([, url]) => url as string,
  );
  const inJson = [
    ...body.matchAll(/"(?:href|self|related|first|prev|next|instance|graphql|openapi|shelves|notes)":"([^"]*)"/g),
  ];
  return [
    ...inHead,
    ...(location === undefined ? [] : [location]),
    ...inHtml,
    ...inJson.map(([, url]) => unescaped(url)),
  ];
}
const unescaped = (text: string | undefined): string => JSON.parse(`"${text ?? ""}"`) as string;

describe.each(Object.entries(SERVERS))("%s", (name, start) => {
  test("prints no URL of another host, whatever slashes a path has", async () => {
    const port = await start();
    let found = 0;
    for (const mount of [...MOUNTS, ...MORE_MOUNTS]) {
      for (const path of PATHS) {
        for (const accept of TYPES) {
          const target = `${mount}${path}`;
          const reply = await send(port, "GET", `${target}?page[size]=1`, accept);
          for (const url of urlsIn(reply)) {
            found += 1;
            expect([target, url, new URL(url, "http://api.example").host]).toEqual([target, url, "api.example"]);
          }
        }
      }
      const row = JSON.stringify({ id: 50 + MOUNTS.indexOf(mount), text: "new", shelfId: 1 });
      const made = await send(port, "POST", `${mount}/notes`, "application/json", row);
      for (const url of urlsIn(made)) expect(new URL(url, "http://api.example").host).toBe("api.example");
    }
    expect(found).toBeGreaterThan(50);
  });

  test("leads from every link of a list to a page of it", async () => {
    const port = await start();
    let followed = 0;
    for (const mount of MOUNTS) {
      for (const path of ["/notes", "//notes", "/notes/"]) {
        const reply = await send(port, "GET", `${mount}${path}?page[size]=1&sort=text`, "application/json");
        if (reply.status !== 200 || !reply.head.toLowerCase().includes("\nlink:")) continue;
        for (const url of urlsIn(reply)) {
          followed += 1;
          const page = await send(port, "GET", url, "application/json");
          expect([`${mount}${path}`, url, page.status]).toEqual([`${mount}${path}`, url, 200]);
        }
      }
    }
    expect(followed).toBeGreaterThanOrEqual(name.includes("ignores") ? 12 : 2);
  });
});

test.each(["//api/notes", "/api//notes", "///api///notes", "/api/notes/", "/API//notes/"])(
  "serves %s as /api/notes on a Fastify that ignores duplicate slashes",
  async (target) => {
    const port = await onFastify("/api", LENIENT);
    const reply = await send(port, "GET", `${target}?page[size]=1`, "application/json");
    expect(reply.status).toBe(200);
    expect(reply.head).toMatch(/^link: <\/api\/notes\?page%5Bsize%5D=1>; rel="first"/im);
  },
);

test("doesn't serve a mount in another spelling", async () => {
  const port = await onFastify("/api");
  for (const target of ["/%61pi/notes", "/ap%69/notes"]) {
    expect([target, (await send(port, "GET", target, "application/json")).status]).toEqual([target, 404]);
  }
});
