import {
  allow,
  apiKeys,
  type ApiOptions,
  type Authenticator,
  defineApi,
  defineResource,
  deny,
  type Log,
  manyToMany,
  memoryBus,
  memoryIdempotency,
  memoryStore,
  signedIn,
  silentLog,
} from "@bifocal/core";
import { rateLimit } from "@bifocal/core/rate-limit";
import { afterEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";

const tag = defineResource("tag", {
  fields: { id: z.string() },
  access: { read: allow, create: signedIn, update: signedIn, delete: deny },
});
const open = defineResource("note", {
  fields: { id: z.string() },
  relations: { tags: manyToMany("tag") },
  access: { read: allow, create: allow, update: signedIn, delete: deny, relations: { tags: { link: allow } } },
  actions: { ping: { on: "collection", access: allow, run: () => undefined } },
});

type Options = Omit<Partial<ApiOptions<readonly []>>, "resources" | "graphql" | "stores">;

/** An API without any warnings. */
const safe = (): Options => ({
  store: memoryStore(),
  secret: "s".repeat(32),
  introspection: false,
  idempotency: { store: memoryIdempotency() },
  events: memoryBus(),
  rateLimit: rateLimit(),
  trustedProxies: [],
  auth: apiKeys({ ["k".repeat(22)]: { id: "ann" } }),
});
const basic: Authenticator = {
  authenticate: () => null,
  challenge: "Basic",
  schemes: { basic: { type: "http", scheme: "basic" } },
};

function codes(
  options: Options & { graphql?: ApiOptions<readonly []>["graphql"] },
  resources = [tag],
): readonly string[] {
  const api = defineApi({ ...safe(), ...options, resources } as never);
  return api.warnings().map(({ code }) => code);
}

test("is empty for an API that is ready for production", () => {
  expect(codes({})).toEqual([]);
});

describe("lists each warning by its code", () => {
  test.each<[code: string, options: Parameters<typeof codes>[0]]>([
    ["introspection", { introspection: true }],
    ["suggestions", { graphql: { suggestions: true } }],
    ["graphiql", { graphql: { graphiql: { page: () => "", assets: {} } as never } }],
    ["docs", { docs: { page: () => "", assets: {} } as never }],
    ["console", { console: { page: () => "", assets: {} } as never }],
    ["any_origin", { cors: { origins: "*" } }],
    ["server_timing", { serverTiming: true }],
    ["limits", { limits: { query: { cost: Infinity } } }],
    ["memory_store", { store: undefined } as never],
    ["rate_limit", { rateLimit: undefined } as never],
    ["rate_limit", { rateLimit: false }],
    ["trusted_proxies", { trustedProxies: undefined } as never],
    ["random_secret", { secret: undefined } as never],
    ["short_secret", { secret: "s".repeat(31) }],
    ["memory_idempotency", { idempotency: {} }],
    ["local_events", { events: { keep: 10 } }],
    ["no_auth", { auth: [] }],
    ["short_keys", { auth: apiKeys({ ["k".repeat(21)]: { id: "ann" } }) }],
    ["custom", { auth: { ...basic, warnings: [{ code: "custom", message: "Passwords are plain text." }] } }],
  ])("%s", (code, options) => {
    expect(codes(options)).toEqual([code]);
  });

  test("lists the sortable enums of enum_order that don't sort in declared order", () => {
    const task = defineResource("task", {
      fields: {
        id: z.int32(),
        priority: z.enum(["low", "medium", "high"]).nullable(),
        size: z.enum(["large", "small"]),
        kind: z.enum(["bug", "a feature"]),
      },
      access: { read: allow, create: deny, update: deny, delete: deny },
      sortable: ["priority", "size"],
    });
    const api = defineApi({ ...safe(), resources: [tag, task] });
    expect(api.warnings()).toEqual([
      {
        code: "enum_order",
        message:
          "These enums sort by their text and not in declared order: task.priority (high, low, medium). To sort by rank, store a number, or remove them from 'sortable'.",
      },
    ]);
    const document = JSON.stringify(api.openapi());
    expect(document).toContain("`priority`: Sorts by text: high, low, medium.");
    expect(document).not.toContain("`size`: Sorts");
    expect(api.graphql.sdl()).toMatch(/"""Sorts by text: high, low, medium."""\n {2}PRIORITY_DESC/);
  });

  test("lists the resources of open_writes", () => {
    const api = defineApi({ ...safe(), resources: [tag, open] });
    expect(api.warnings()).toEqual([
      {
        code: "open_writes",
        message:
          "Anonymous callers can create note, link note.tags, call note.ping. Replace the rule `allow`, or keep it if that is intended.",
      },
    ]);
  });

  test("doesn't warn about limits that were raised on purpose", () => {
    expect(codes({ limits: { query: { cost: 100_000 }, http: { bodyBytes: 50_000_000 } } })).toEqual([]);
  });
});

describe("logs warnings at start", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  function told(options: Options): readonly string[] {
    const lines: string[] = [];
    const log: Log = { ...silentLog, warn: (line) => void lines.push(line) };
    defineApi({ ...safe(), introspection: true, serverTiming: true, log, ...options, resources: [tag] });
    return lines.map((line) => /\[(\w+)\]$/.exec(line)?.[1] ?? line);
  }

  test("in production", () => {
    vi.stubEnv("NODE_ENV", "production");
    expect(told({})).toEqual(["introspection", "server_timing"]);
    expect(told({ warnings: false })).toEqual([]);
    expect(told({ warnings: { except: ["introspection"] } })).toEqual(["server_timing"]);
  });

  test("about explained requests only in production, where they are off by default", () => {
    const given = { introspection: false, serverTiming: false, developerPages: true };
    vi.stubEnv("NODE_ENV", "production");
    expect(told(given)).toEqual([]);
    expect(told({ ...given, explain: true })).toEqual(["explain"]);
    vi.stubEnv("NODE_ENV", "development");
    expect(told({ ...given, explain: true, warnings: true })).toEqual([]);
  });

  test("in other environments if enabled", () => {
    vi.stubEnv("NODE_ENV", "development");
    expect(told({})).toEqual([]);
    expect(told({ warnings: true })).toEqual(["introspection", "server_timing"]);
  });
});
