import {
  allow,
  defineApi,
  defineResource,
  hasMany,
  belongsTo,
  memoryStore,
  silentLog,
  type Telemetry,
} from "@bifocal/core";
import { openTelemetry } from "@bifocal/opentelemetry";
import { nodeHttp } from "@bifocal/node-http";
import { execFile } from "node:child_process";
import { connect } from "node:net";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { z } from "zod";
import { listen } from "./listen.ts";
import { startSdk } from "./sdk.ts";

const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access: { read: allow, create: allow, update: allow, delete: allow },
});
const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), authorId: z.int32() },
  relations: { author: belongsTo("author", "authorId") },
  access: { read: allow, create: allow, update: allow, delete: allow },
  filterable: ["title"],
  sortable: ["title"],
});

const createApi = (telemetry?: Telemetry) =>
  defineApi({
    resources: [author, book],
    store: memoryStore({
      data: {
        author: [{ id: 1, name: "Jane Austen" }],
        book: [1, 2, 3].map((id) => ({ id, title: `Book ${id}`, authorId: 1 })),
      },
    }),
    secret: "the same",
    log: silentLog,
    telemetry,
  });

const REQUESTS: readonly (readonly [line: string, content?: string, type?: string])[] = [
  ["GET /"],
  ["GET /openapi.json"],
  ["GET /books"],
  ["HEAD /books"],
  ["OPTIONS /books"],
  ["GET /books?include=author&page[size]=2&sort=-title"],
  ["GET /books/1"],
  ["GET /books/9"],
  ["GET /books/1/nothing"],
  ["GET /nothing"],
  ["GET /books?nothing=1"],
  ["DELETE /books"],
  ["POST /books", '{"id": 4, "title": "Book 4", "authorId": 1}'],
  ["POST /books", '{"id": 4, "title": "Book 4", "authorId": 1}'],
  ["POST /books", '{"id": 5, "title": "Book 5", "authorId": 7}'],
  ["PATCH /books/4", '{"title": "Other"}', "application/merge-patch+json"],
  ["DELETE /books/4"],
  ["POST /graphql", '{"query": "{ books(first: 2) { nodes { title author { name } } pageInfo { endCursor } } }"}'],
  ["POST /graphql", '{"query": "{ nothing }"}'],
  ["POST /graphql", '{"query": "mutation { deleteBook(id: 9) { deleted } }"}'],
  ["GET /graphql?query={__typename}"],
];

/** The bytes of each response, without the date. */
async function answers(api: ReturnType<typeof createApi>): Promise<readonly string[]> {
  const { base, close } = await listen(nodeHttp(api));
  const texts: string[] = [];
  for (const [line, content = "", type = "application/json"] of REQUESTS) {
    const length = content === "" ? "" : `Content-Type: ${type}\r\nContent-Length: ${content.length}\r\n`;
    const asked = `${line.replaceAll(/[{}]/g, encodeURIComponent)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${length}\r\n${content}`;
    texts.push(await exchange(Number(new URL(base).port), asked));
  }
  await close();
  return texts;
}

function exchange(port: number, asked: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () => socket.write(asked));
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.once("error", reject);
    socket.once("close", () =>
      resolve(
        Buffer.concat(chunks)
          .toString("latin1")
          .replace(/^Date: .*\r\n/m, ""),
      ),
    );
  });
}

test("responses have the same bytes without telemetry, with it, and with an SDK", async () => {
  const without = await answers(createApi());
  expect(without.filter((text) => /^HTTP\/1\.1 (200|201|204|304)/.test(text)).length).toBeGreaterThan(10);
  expect(await answers(createApi(openTelemetry()))).toEqual(without);
  const sdk = startSdk();
  expect(await answers(createApi(openTelemetry({ documents: true })))).toEqual(without);
  expect((await sdk.takeSpans()).length).toBeGreaterThan(REQUESTS.length);
});

test("only @bifocal/opentelemetry loads @opentelemetry/api", async () => {
  const script = `
    import { registerHooks } from "node:module";
    const seen = [];
    registerHooks({ resolve: (name, context, next) => (seen.push(name), next(name, context)) });
    for (const name of ["core", "core/adapter", "core/telemetry", "testing", "node-http", "express", "fastify"]) await import("@bifocal/" + name);
    const before = seen.filter((name) => name.includes("opentelemetry"));
    await import("@bifocal/opentelemetry");
    console.log(JSON.stringify({ count: seen.length, before, loads: seen.includes("@opentelemetry/api") }));`;
  const args = ["--conditions=@bifocal/source", "--input-type=module", "--eval", script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
  const { count, before, loads } = JSON.parse(stdout) as { count: number; before: string[]; loads: boolean };
  expect(count).toBeGreaterThan(100);
  expect({ before, loads }).toEqual({ before: [], loads: true });
});
