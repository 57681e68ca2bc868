import { allow, type AnyApi, belongsTo, defineApi, defineResource, memoryStore, type Store } from "@bifocal/core";
import { expressRouter } from "@bifocal/express";
import { bifocal } from "@bifocal/fastify";
import { nodeHttp } from "@bifocal/node-http";
import createExpress from "express";
import createFastify from "fastify";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", { fields: { id: z.int32(), name: z.string() }, access });
const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), authorId: z.int32() },
  relations: { author: belongsTo("author", "authorId") },
  access,
});

/** An API that reads authors only when the test releases them, and records its reads. */
function slowAuthors() {
  const data = { author: [{ id: 1, name: "Ann" }], book: [{ id: 1, title: "Emma", authorId: 1 }] };
  const memory = memoryStore({ data });
  const reads: string[] = [];
  let open: () => void = () => {};
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  const store: Store = {
    ...memory,
    async byKeys(query, context) {
      reads.push(query.resource.name);
      if (query.resource.name === "author") await isOpen;
      return memory.byKeys(query, context);
    },
  };
  const api = defineApi({ resources: [author, book], store, graphql: { incremental: true } });
  return { api, reads, open: () => open() };
}

const SERVERS: Readonly<Record<string, (api: AnyApi) => Promise<Server>>> = {
  "node-http": (api) => Promise.resolve(createServer(nodeHttp(api))),
  express: (api) => Promise.resolve(createServer(createExpress().use(expressRouter(api)))),
  fastify: async (api) => {
    const app = createFastify();
    await app.register(bifocal, { api });
    await app.ready();
    return app.server;
  },
};

const query = "{ book(id: 1) { title ... @defer { author { name } } } }";
const twice = "{ book(id: 1) { title ... @defer { author { name } ... @defer { authorId author { id } } } } }";
const ACCEPTED = ["multipart/mixed", "text/event-stream"];

describe.each(Object.entries(SERVERS))("on %s", (_, start) => {
  test.each(ACCEPTED)("sends the first part while the second is read: %s", async (accept) => {
    const { api, reads, open } = slowAuthors();
    const server = await start(api);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
      method: "POST",
      headers: { accept, "content-type": "application/json" },
      body: JSON.stringify({ query }),
    });
    const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes('"hasNext":true}')) text += (await reader.read()).value ?? "";
    expect(text).toContain('"title":"Emma"');
    expect(text).not.toContain("Ann");
    open();
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
    expect(text).toContain('"data":{"author":{"name":"Ann"}}');
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    expect(reads).toEqual(["book", "book", "author"]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test.each(ACCEPTED)("reads no further parts for a client that has disconnected: %s", async (accept) => {
    const { api, reads, open } = slowAuthors();
    const server = await start(api);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const gone = new AbortController();
    const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
      method: "POST",
      headers: { accept, "content-type": "application/json" },
      body: JSON.stringify({ query: twice }),
      signal: gone.signal,
    });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    while (!reads.includes("author")) await new Promise((resolve) => setTimeout(resolve, 5));
    const before = [...reads];
    gone.abort();
    await new Promise((resolve) => setTimeout(resolve, 50));
    open();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(reads).toEqual(before);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
