import { appendFileSync } from "node:fs";
import { type BookstoreOptions, startBookstore } from "@bifocal/example-bookstore/start";
import { sqlStore } from "@bifocal/sql";
import { servers, type TestServer } from "@bifocal/test-servers";
import { afterAll, beforeAll, describe } from "vitest";
import { type Host, HOSTS, MAX_START_MS, MISSING, type RunningHost, type ServedBookstore } from "../runtimes/host.ts";

export const ADAPTERS = ["fastify", "express", "node-http"] as const;

/** Demo keys, one per role. */
export const KEYS = {
  reader: "reader-key-for-tests",
  editor: "editor-key-for-tests",
  admin: "admin-key-for-tests",
} as const;
export type Role = keyof typeof KEYS;

/** Defines tests with the URL of a bookstore. `host` is undefined for Bifocal's own adapters on Node. */
export type Define = (base: () => string, host?: Host) => void;

/** A bookstore on each adapter, host and store, with the same rows, so that every test runs on all of them. */
export function onEachStore(define: Define): void {
  onEachAdapter(define);
  onEachHost(define);
  describe.each(servers)("over $name", ({ missing, create }) => {
    describe.skipIf(missing !== undefined).each(ADAPTERS)("on %s", (adapter) => {
      let database: Awaited<ReturnType<TestServer["create"]>>;
      let store: Awaited<ReturnType<typeof startBookstore>>;
      beforeAll(async () => {
        database = await create();
        const own = sqlStore({ url: database.url, autoCreate: true, max: 4 });
        store = await startBookstore({ adapter, port: 0, host: "127.0.0.1", keys: KEYS, store: own });
      });
      afterAll(async () => {
        await store?.close();
        await database?.drop();
      });
      define(() => store.url);
    });
  });
}

/** A bookstore on each adapter, over real HTTP on a free port of loopback. */
export function onEachAdapter(define: Define, options: Omit<BookstoreOptions, "keys"> = {}): void {
  describe.each(ADAPTERS)("on %s", (adapter) => {
    let store: Awaited<ReturnType<typeof startBookstore>>;
    beforeAll(async () => {
      store = await startBookstore({ adapter, port: 0, host: "127.0.0.1", keys: KEYS, ...options });
    });
    afterAll(() => store.close());
    define(() => store.url);
  });
}

/** A bookstore on each runtime and framework, in its own process. */
export function onEachHost(define: Define): void {
  describe.skipIf(MISSING !== undefined).each(HOSTS)(`on $name ${MISSING ?? ""}`, (host) => {
    let running: RunningHost;
    beforeAll(async () => {
      running = await host.start({ keys: KEYS });
    }, MAX_START_MS);
    afterAll(() => running?.close());
    define(() => `http://127.0.0.1:${running.port}`, host);
  });
}

/** A bookstore with its own keys and authorization server. */
export interface OwnStore {
  readonly url: string;
  /** Creates an API key of a user. */
  readonly issueKey: (userId: string, name: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** Starts a bookstore with its own keys and authorization server. */
export type StartOwn = (options: ServedBookstore) => Promise<OwnStore>;

/** Defines tests for each adapter and host, which start their bookstores themselves. */
export function onEachOwnStore(title: string, define: (start: StartOwn) => void, hosts: readonly Host[] = HOSTS): void {
  describe.each(ADAPTERS)(`${title} %s`, (adapter) => {
    define((options) => startBookstore({ adapter, port: 0, host: "127.0.0.1", ...options }));
  });
  describe.skipIf(MISSING !== undefined).each(hosts)(`${title} $name ${MISSING ?? ""}`, ({ start }) => {
    define(async (options) => {
      const { port, close } = await start(options);
      const url = `http://127.0.0.1:${port}`;
      const issueKey = async (user: string, name: string): Promise<string> =>
        (await fetch(`${url}/-/keys?${new URLSearchParams({ user, name }).toString()}`)).text();
      return { url, issueKey, close };
    });
  });
}

/** The file to which every exchange is written, for judges. */
const RECORD = process.env["BOOKSTORE_RECORD"];

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // Each test asserts the shape.
  readonly body: unknown;
}

/** Sends a REST request with JSON. */
export async function send(
  base: string,
  method: string,
  path: string,
  options: { as?: Role; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const headers: Record<string, string> = { ...options.headers };
  if (options.as !== undefined) headers["authorization"] = `Bearer ${KEYS[options.as]}`;
  if (options.body !== undefined) headers["content-type"] ??= "application/json";
  const response = await fetch(base + path, {
    method,
    headers,
    ...(options.body === undefined
      ? {}
      : { body: typeof options.body === "string" ? options.body : JSON.stringify(options.body) }),
  });
  const text = await response.text();
  if (RECORD !== undefined) {
    const answered = { status: response.status, headers: Object.fromEntries(response.headers), text };
    appendFileSync(RECORD, `${JSON.stringify({ method, path, headers, answered })}\n`);
  }
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Sends a GraphQL request by POST. */
export async function ask(
  base: string,
  query: string,
  options: { as?: Role; variables?: unknown } = {},
): Promise<{ data?: unknown; errors?: { message: string; path?: unknown; extensions?: Record<string, unknown> }[] }> {
  const { body } = await send(base, "POST", "/graphql", {
    body: { query, variables: options.variables },
    ...(options.as === undefined ? {} : { as: options.as }),
  });
  return body as never;
}
