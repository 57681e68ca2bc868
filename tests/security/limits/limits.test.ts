import { DEFAULT_LIMITS, type Limits, memoryStore, type Store } from "@bifocal/core";
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { createLibrary, serve } from "./library.ts";
import { TRIPS } from "./trips.ts";

const names = Object.keys(DEFAULT_LIMITS) as (keyof Limits)[];
const page = readFileSync(new URL("../../../docs/limits.md", import.meta.url), "utf8");

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A store that takes its time. */
function slow(): Store {
  const inner = memoryStore();
  const list: Store["list"] = async (query, context) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return inner.list(query, context);
  };
  return { ...inner, list };
}

/** A store for which something may wait. */
const waitedFor = (): Store => ({ ...memoryStore(), load: () => ({ waiting: 0, longest: 0 }) });
const STORES: Partial<Record<keyof Limits, () => Store>> = {
  timeout: slow,
  storeQueue: waitedFor,
  storeWait: waitedFor,
};

const tripped = names.filter((name) => name !== "documentBytes");

test("every limit has a test, and a line with its default in the documentation", () => {
  expect(Object.keys(TRIPS).toSorted()).toEqual(tripped.toSorted());
  const lines = names.map((name) => page.split("\n").find((line) => line.startsWith(`| \`${name}\` |`)));
  const wanted = names.map((name) => `| \`${name}\` | ${DEFAULT_LIMITS[name].toLocaleString("en")} `);
  expect(lines.map((line, at) => line?.slice(0, wanted[at]?.length))).toEqual(wanted);
});

describe.each(tripped)("%s", (name) => {
  const { limits, doors } = TRIPS[name];
  test.each(Object.entries(doors))("%s", async (_, { ask, refusal }) => {
    const graphql = { batching: true, incremental: true, persisted: { automatic: true } };
    const start = async (own: Partial<Limits>) => {
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
    expect(["inFlight", "storeQueue", "storeWait", "eventLoopDelay"].includes(name) ? [503] : [200, 404]).toContain(
      next.status,
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
