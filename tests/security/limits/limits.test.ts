import { DEFAULT_LIMITS, type LimitOptions, memoryStore, type Store } from "@bifocal/core";
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { createLibrary, serve } from "./library.ts";
import { type LimitPath, TRIPS } from "./trips.ts";

const defaults = Object.entries(DEFAULT_LIMITS).flatMap(([group, members]) =>
  Object.entries(members as Readonly<Record<string, number>>).map(
    ([name, limit]) => [`${group}.${name}` as LimitPath, limit] as const,
  ),
);
const page = readFileSync(new URL("../../../docs/limits.md", import.meta.url), "utf8");

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A store that responds slowly. */
function slow(): Store {
  const inner = memoryStore();
  const list: Store["list"] = async (query, context) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return inner.list(query, context);
  };
  return { ...inner, list };
}

/** A store that can have a queue. */
const waitedFor = (): Store => ({ ...memoryStore(), load: () => ({ waiting: 0, longest: 0 }) });
const STORES: Partial<Record<LimitPath, () => Store>> = {
  "query.timeout": slow,
  "http.storeQueue": waitedFor,
  "http.storeWait": waitedFor,
};

const tripped = defaults.flatMap(([path]) => (path === "graphql.cacheBytes" ? [] : [path]));

test("every limit has a test, and a line with its default in the documentation", () => {
  expect(Object.keys(TRIPS).toSorted()).toEqual(tripped.toSorted());
  const lines = defaults.map(([path]) => page.split("\n").find((line) => line.startsWith(`| \`${path}\` |`)));
  const wanted = defaults.map(([path, limit]) => `| \`${path}\` | ${limit.toLocaleString("en")} `);
  expect(lines.map((line, at) => line?.slice(0, wanted[at]?.length))).toEqual(wanted);
});

describe.each(tripped)("%s", (name) => {
  const { limits, doors } = TRIPS[name];
  test.each(Object.entries(doors))("%s", async (_, { ask, refusal }) => {
    const graphql = { batching: true, incremental: true, persisted: { automatic: true } };
    const start = async (own: LimitOptions) => {
      const store = STORES[name]?.();
      const api = createLibrary({ limits: own, graphql, ...(store && { store }) });
      const { url, close } = await serve(api);
      closing.push(close);
      return { api, url };
    };
    expect(await ask(await start({}))).not.toEqual(refusal);
    const { api, url } = await start(limits);
    expect(await ask({ api, url })).toEqual(refusal);
    // The next request succeeds, and prototypes are unchanged.
    const next = await fetch(`${url}/authors/1`);
    expect(
      ["http.inFlight", "http.storeQueue", "http.storeWait", "http.eventLoopDelay"].includes(name) ? [503] : [200, 404],
    ).toContain(next.status);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
