import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  asSystem,
  allow,
  BifocalError,
  defineApi,
  defineResource,
  memoryStore,
  type Rule,
  type Store,
} from "../../src/index.ts";
import { StoreConflict } from "../../src/store-driver.ts";
import { keepingLog } from "../counting-store.ts";
import { ask, send } from "../request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };

function resource(read: Rule = allow) {
  return defineResource("book", {
    fields: { id: z.int32(), title: z.string() },
    access: { ...access, read },
  });
}

/** An API whose store calls `get` instead of reading a row. */
function failing(get: (signal: AbortSignal) => Promise<never>, timeout = 10_000) {
  const { entries, log } = keepingLog();
  const store: Store = { ...memoryStore(), byKeys: (_, { signal }) => get(signal as AbortSignal) };
  return { api: defineApi({ resources: [resource()], store, log, limits: { query: { timeout } } }), entries };
}

describe("J16: errors of a store", () => {
  test("masks unknown errors, with a request id in the response and the log", async () => {
    const { api, entries } = failing(() => Promise.reject(new Error("connection to 10.0.0.7 as root failed")));
    const rest = await send(api, "GET", "/books/1");
    expect(rest).toMatchObject({ status: 500, body: { code: "INTERNAL", title: "Internal error" } });
    expect(JSON.stringify(rest.body)).not.toMatch(/10\.0|root/);
    const { requestId } = rest.body as { requestId: string };
    expect(requestId).toMatch(/^[\da-f-]{36}$/);
    expect(entries).toMatchObject([
      {
        level: "error",
        details: {
          requestId,
          method: "GET",
          path: "/books/1",
          operation: "get",
          resource: "book",
          cause: { message: "connection to 10.0.0.7 as root failed" },
        },
      },
    ]);
    const graphql = await ask(api, "{ book(id: 1) { title } }");
    expect(graphql).toMatchObject({ data: { book: null }, errors: [{ extensions: { code: "INTERNAL" } }] });
    expect(JSON.stringify(graphql)).not.toMatch(/10\.0|root/);
    expect(graphql).toMatchObject({ errors: [{ extensions: { requestId: expect.any(String) as string } }] });
    expect(entries[1]).toMatchObject({ details: { requestId: graphql.errors?.[0]?.extensions?.["requestId"] } });
  });

  test.each<[string, unknown, number, string]>([
    ["a BifocalError keeps its code", new BifocalError("UNAVAILABLE", "The database restarts."), 503, "UNAVAILABLE"],
    ["an existing key is a conflict", new StoreConflict(["title"]), 409, "CONFLICT"],
    ["a thrown string is an unknown error", "boom", 500, "INTERNAL"],
    ["so is undefined", undefined, 500, "INTERNAL"],
  ])("%s", async (_, thrown, status, code) => {
    // A store can throw any value.
    const { api } = failing(() => Promise.reject(thrown));
    expect(await send(api, "GET", "/books/1")).toMatchObject({ status, body: { code } });
    expect(await ask(api, "{ book(id: 1) { title } }")).toMatchObject({ errors: [{ extensions: { code } }] });
  });
});

describe("time", () => {
  test("E20: returns TIMEOUT for an operation that takes too long, and aborts its signal", async () => {
    let reason: unknown;
    const { api } = failing(
      (signal) =>
        new Promise(() => {
          signal.addEventListener("abort", () => {
            reason = signal.reason;
          });
        }),
      50,
    );
    const { status, body } = await send(api, "GET", "/books/1");
    expect({ status, body }).toMatchObject({ status: 504, body: { code: "TIMEOUT" } });
    expect(reason).toMatchObject({ name: "TimeoutError" });
    expect(await ask(api, "{ book(id: 1) { title } }")).toMatchObject({
      errors: [{ extensions: { code: "TIMEOUT" } }],
    });
  });

  test("G08: aborts the store's work when the caller disconnects", async () => {
    const caller = new AbortController();
    let wasTold = false;
    const { api } = failing(
      (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            wasTold = true;
            reject(signal.reason as Error);
          });
        }),
    );
    const answer = send(api, "GET", "/books/1", { signal: caller.signal });
    await new Promise((resolve) => setImmediate(resolve));
    caller.abort();
    expect(await answer).toMatchObject({ status: 503 });
    expect(wasTold).toBe(true);
  });
});

describe("a rule", () => {
  test.each<[string, Rule]>([
    ["that throws", () => Promise.reject(new Error("no database"))],
    [
      "that throws synchronously",
      () => {
        throw new TypeError("undefined is not an object");
      },
    ],
    ["that returns nothing", (() => undefined) as never],
    ["that returns text", (() => "yes") as never],
    ["that names an unknown field", () => ({ owner: { eq: "1" } })],
    ["that compares with undefined", ({ principal }) => ({ title: { eq: principal?.id } })],
    ["that compares with another type", () => ({ id: { eq: "one" } })],
  ])("%s denies access", async (_, rule) => {
    const { log } = keepingLog();
    const api = defineApi({ resources: [resource(rule)], log });
    await api.as(asSystem("fill")).book.create({ id: 1, title: "a" });
    expect(await send(api, "GET", "/books")).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
    expect(await send(api, "GET", "/books/1")).toMatchObject({ status: 401 });
    expect(await ask(api, "{ books { nodes { id } } }")).toMatchObject({
      data: null,
      errors: [{ extensions: { code: "UNAUTHENTICATED" } }],
    });
  });

  test("can throw its own error", async () => {
    const api = defineApi({
      resources: [
        resource(() => {
          throw new BifocalError("RATE_LIMITED", "Come back later.", { headers: { "Retry-After": "7" } });
        }),
      ],
    });
    expect(await send(api, "GET", "/books")).toMatchObject({
      status: 429,
      headers: { "Retry-After": "7" },
      body: { detail: "Come back later." },
    });
  });
});
