import { allow, type Authenticator, defineApi, defineResource, memoryStore, silentLog } from "@bifocal/core";
import { openTelemetry } from "@bifocal/opentelemetry";
import { nodeHttp } from "@bifocal/node-http";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { KEYS, onEachAdapter } from "../bookstore/stores.ts";
import { listen } from "./listen.ts";

const EMMA = "b0000000-0000-4000-8000-000000000001";
const NOBODY = "b0000000-0000-4000-8000-00000000ffff";
const DURATION = String.raw`;dur=\d+\.\d\d`;

/** Converts `parse auth store(2 calls)` to a pattern for the header. */
function timing(...metrics: readonly string[]): RegExp {
  const parts = metrics.map((metric) => {
    const [, name = metric, calls] = /^(\w+)\((.*)\)$/.exec(metric) ?? [];
    return name + DURATION + (calls === undefined ? "" : `;desc="${calls} ${calls === "1" ? "call" : "calls"}"`);
  });
  return new RegExp(`^${parts.join(", ")}$`);
}

const ask = (query: string): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", authorization: `Bearer ${KEYS.admin}` },
  body: JSON.stringify({ query }),
});

onEachAdapter(
  (base) => {
    test.each<[string, RequestInit, RegExp]>([
      [`/books/${EMMA}`, {}, timing("parse", "auth", "store(1)", "serialize", "total")],
      ["/books?include=author,reviews", {}, timing("parse", "auth", "store(3)", "serialize", "total")],
      [`/books/${NOBODY}`, {}, timing("parse", "auth", "store(1)", "serialize", "total")],
      ["/books?nothing=1", {}, timing("auth", "total")],
      ["/openapi.json", {}, timing("auth", "total")],
      ["/graphql", ask(`{ book(id: "${EMMA}") { title } }`), timing("parse", "auth", "store(1)", "serialize", "total")],
      [
        "/graphql",
        ask("{ books { nodes { author { name } } } tags { nodes { slug } } }"),
        timing("parse", "auth", "store(3)", "serialize", "total"),
      ],
      ["/graphql", ask("{ nothing }"), timing("auth", "total")],
    ])("%s", async (path, init, expected) => {
      const response = await fetch(base() + path, init);
      await response.text();
      expect(response.headers.get("server-timing")).toMatch(expected);
    });

    test.each<[string, RequestInit]>([
      ["/books", { headers: { accept: "text/event-stream" } }],
      ["/books", { headers: { accept: "application/x-ndjson" } }],
      [
        "/graphql",
        {
          ...ask("subscription { bookCreated { id } }"),
          headers: { accept: "text/event-stream", "content-type": "application/json" },
        },
      ],
    ])("sends none on a stream: %s %j", async (path, init) => {
      const stop = new AbortController();
      const response = await fetch(base() + path, { ...init, signal: stop.signal });
      expect(response.status).toBe(200);
      expect(response.headers.get("server-timing")).toBeNull();
      stop.abort();
    });
  },
  { serverTiming: true },
);

const note = defineResource("note", {
  fields: { id: z.int32(), text: z.string() },
  access: { read: allow, create: allow, update: allow, delete: allow },
  cache: { public: true, maxAge: 60 },
});
const slow: Authenticator = {
  challenge: "Bearer",
  schemes: {},
  authenticate: () => new Promise((resolve) => setTimeout(() => resolve(null), 60)),
};

async function serve(options: Partial<Pick<Parameters<typeof defineApi>[0], "serverTiming" | "telemetry" | "auth">>) {
  const store = memoryStore({ data: { note: [{ id: 1, text: "one" }] } });
  const served = await listen(nodeHttp(defineApi({ resources: [note], store, log: silentLog, ...options })));
  afterAll(served.close);
  return async (path: string) => (await fetch(served.base + path)).headers.get("server-timing");
}

test("is off by default", async () => {
  const timingOf = await serve({});
  expect(await timingOf("/notes/1")).toBeNull();
  expect(await timingOf("/notes/none")).toBeNull();
});

test("is added to responses for shared caches only if configured", async () => {
  expect(await (await serve({ serverTiming: true }))("/notes/1")).toBeNull();
  expect(await (await serve({ serverTiming: true }))("/notes/2")).toMatch(
    timing("parse", "store(1)", "serialize", "total"),
  );
  expect(await (await serve({ serverTiming: "public" }))("/notes/1")).toMatch(
    timing("parse", "store(1)", "serialize", "total"),
  );
});

test("reports the right duration for each part", async () => {
  const timingOf = await serve({ serverTiming: "public", auth: slow, telemetry: openTelemetry() });
  const [, parse, auth, stored, serialize, total] =
    /^parse;dur=(.*), auth;dur=(.*), store;dur=(.*);desc="1 call", serialize;dur=(.*), total;dur=(.*)$/.exec(
      (await timingOf("/notes/1")) ?? "",
    ) ?? [];
  expect(Number(auth)).toBeGreaterThan(50);
  expect(Number(total)).toBeGreaterThanOrEqual(Number(auth));
  for (const other of [parse, stored, serialize]) expect(Number(other)).toBeLessThan(50);
});
