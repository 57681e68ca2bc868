import {
  allow,
  apiKeyResource,
  apiKeys,
  createApiKey,
  DEFAULT_LIMITS,
  defineApi,
  defineResource,
  memoryStore,
  silentLog,
} from "@bifocal/core";
import { DEFAULT_RATE_LIMIT } from "@bifocal/core/rate-limit";
import { SERVER_OPTIONS } from "@bifocal/node-http";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { ROOT } from "./snippets.ts";

beforeAll(() => void vi.stubEnv("NODE_ENV", "production"));
afterAll(() => void vi.unstubAllEnvs());

const LIMITS = readFileSync(`${ROOT}docs/limits.md`, "utf8");

/** Reads a number from a source file, for constants that no package exports. */
function numberIn(file: string, before: string): number {
  const source = readFileSync(`${ROOT}packages/${file}`, "utf8");
  const found = source.split(before);
  if (found.length !== 2) throw new Error(`${file} must contain '${before}' once.`);
  return Number(/^[\d_]+/.exec(found[1] ?? "")?.[0].replaceAll("_", ""));
}

const access = { read: allow, create: allow, update: allow, delete: allow };
const note = defineResource("note", { fields: { id: z.int32() }, access });

const HEAD = `# Production defaults

Every number that applies in production (\`NODE_ENV=production\`) unless you set it, with the option that changes it. [Limits](limits.md) explains them,
and [Secure in production](secure-in-production.md) is the checklist. "Fixed" means that no option changes the value.
This page is generated from the code. To update it, run \`npx vitest run --project tests tests/docs/production-defaults -u\`.

| option | default | meaning |
|---|---|---|
`;

type Row = readonly [option: string, value: number, meaning: string];

const RATE_LIMIT: Readonly<Record<keyof typeof DEFAULT_RATE_LIMIT, string>> = {
  points: "points of a principal in each `duration`",
  anonymousPoints: "points of an address in each `duration`, for its anonymous callers",
  costPerPoint: "cost that one point pays for",
  duration: "seconds of a window",
  instances: "instances that share the points",
  timeout: "milliseconds that an operation waits for a shared counter",
};

const SERVER: Readonly<Record<keyof typeof SERVER_OPTIONS, string>> = {
  headersTimeout: "milliseconds for the head of a request",
  requestTimeout: "milliseconds for a whole request, after which it gets 408",
  connectionsCheckingInterval: "milliseconds between two checks of these",
  keepAliveTimeout: "milliseconds that an idle connection is kept",
  maxHeaderSize: "bytes of the head of a request",
};

/** Returns what docs/limits.md says after the number of a limit. A test of the limits checks that each has a row. */
function meaningOf(path: string, value: number): string {
  const start = `| \`${path}\` | ${value.toLocaleString("en")} `;
  const row = LIMITS.split("\n").find((line) => line.startsWith(start));
  return (
    row
      ?.slice(start.length)
      .split(" |", 1)[0]
      ?.replace(/ \(\[below\].*\)/, "") ?? ""
  );
}

async function defaults(): Promise<readonly Row[]> {
  const api = defineApi({
    resources: [note, apiKeyResource()],
    store: memoryStore(),
    auth: apiKeys({ resource: "apiKey" }),
    log: silentLog,
  });
  const { page } = api.model.resources.get("note") ?? {};
  const { limits } = api["~http"];
  const { expiresAt, createdAt } = await createApiKey(api, { name: "CI", principalId: "ann" });
  await api.close();
  return [
    ...typedEntries(RATE_LIMIT).map(([name, meaning]): Row => [`rateLimit.${name}`, DEFAULT_RATE_LIMIT[name], meaning]),
    ...typedEntries(limits).flatMap(([group, members]) =>
      numbersIn(members).map(
        ([name, value]): Row => [`limits.${group}.${name}`, value, meaningOf(`${group}.${name}`, value)],
      ),
    ),
    ["page.size", page?.size ?? 0, "rows of a page, if the request has no size"],
    ["page.max", page?.max ?? 0, "rows of the largest page that a request can ask for"],
    ...typedEntries(SERVER).map(([name, meaning]): Row => [`SERVER_OPTIONS.${name}`, SERVER_OPTIONS[name], meaning]),
    ["createApiKey: expiresAt", secondsBetween(createdAt, expiresAt), "seconds for which an API key is valid"],
    ["idempotency.ttl", numberIn("core/src/api/api.ts", "const DAY = "), "seconds that a receipt is kept"],
    ["events.keep", numberIn("core/src/api/api.ts", "keep = "), "changes that a log in memory keeps"],
    ["cors.maxAge", numberIn("core/src/http/cors.ts", "maxAge = "), "seconds that a browser caches a preflight"],
    ["sqlStore: max", numberIn("sql/src/opened.ts", "max = "), "connections of a store's own pool"],
    ["sqlStore: connectTimeout", numberIn("sql/src/opened.ts", "connectTimeout = "), "milliseconds to wait for one"],
    ["sqlStore: events.keepFor", numberIn("sql/src/outbox/event-log.ts", "const DAY = "), "seconds of the change log"],
    ["sqlStore: events.most", numberIn("sql/src/outbox/event-log.ts", "most = "), "changes of the change log"],
    ["jwt: clockTolerance", numberIn("jwt/src/jwt/jwt.ts", "clockTolerance = "), "seconds that clocks can differ"],
    ["jwt: jwks.age", numberIn("jwt/src/jwt/remote-keys.ts", "age = "), "milliseconds that a key set is cached"],
    ["jwt: jwks.cooldown", numberIn("jwt/src/jwt/remote-keys.ts", "cooldown = "), "milliseconds between two fetches"],
    [
      "jwt: jwks.stale",
      numberIn("jwt/src/jwt/remote-keys.ts", "stale = "),
      "milliseconds that a key set outlives its server",
    ],
    ["jwt: jwks.timeout", numberIn("jwt/src/jwt/remote-keys.ts", "timeout = "), "milliseconds of a fetch"],
    [
      "oauth: introspection.cache",
      numberIn("jwt/src/oauth/introspect.ts", "cache = "),
      "seconds that a valid token is cached",
    ],
    fixed("graphql/transport/ws/websocket-connection.ts", "INIT_TIMEOUT", "milliseconds to send `connection_init`"),
    fixed("http/node/keep-alive.ts", "INTERVAL_MS", "milliseconds between two pings of a WebSocket"),
    fixed("message/event-stream.ts", "HEARTBEAT_INTERVAL_MS", "milliseconds between two checks of an event stream"),
    fixed("util/drain-signal.ts", "STALL_TIMEOUT_MS", "milliseconds that a client can stop reading a response"),
    fixed("http/node/close-server.ts", "CLOSE_TIMEOUT_MS", "milliseconds that `close` waits for running requests"),
    fixed("lowering/lower-page.ts", "CURSOR_LENGTH", "characters of a cursor"),
    fixed("lowering/idempotency/parse-idempotency-key.ts", "LENGTH", "characters of an `Idempotency-Key`"),
    fixed("rest/request/parse-query.ts", "DEPTH", "levels of nesting of a URL parameter"),
  ];
}

function fixed(file: string, name: string, meaning: string): Row {
  return ["fixed", numberIn(`core/src/${file}`, `const ${name} = `), meaning];
}

function secondsBetween(start: string, end: string | null): number {
  return Math.round((Date.parse(end ?? "") - Date.parse(start)) / 1_000);
}

const numbersIn = (group: object): readonly [string, number][] => Object.entries(group) as [string, number][];

function typedEntries<Name extends string, T>(members: Readonly<Record<Name, T>>): readonly (readonly [Name, T])[] {
  return Object.entries(members) as [Name, T][];
}

test("lists every production default with the value of the code", async () => {
  const rows = await defaults();
  for (const [option, value, meaning] of rows) {
    expect([option, value, meaning]).toEqual([option, expect.any(Number), expect.stringMatching(/\w/)]);
    expect(value).toBeGreaterThan(0);
  }
  const lines = rows.map(([option, value, meaning]) => {
    const name = option === "fixed" ? "fixed" : `\`${option}\``;
    return `| ${name} | ${value.toLocaleString("en")} | ${meaning} |\n`;
  });
  await expect(HEAD + lines.join("")).toMatchFileSnapshot("../../docs/production-defaults.md");
});

test("uses the defaults of the code in production", () => {
  const { limits } = defineApi({ resources: [note], store: memoryStore(), log: silentLog })["~http"];
  expect(limits).toEqual(DEFAULT_LIMITS);
});
