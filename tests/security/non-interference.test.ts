import fc from "fast-check";
import { createClient } from "graphql-ws";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { ADAPTERS } from "./access/doors.ts";
import { applyHidden, hiddenChange } from "./worlds/hidden-change.ts";
import { answer, requests, toRequest } from "./worlds/requests.ts";
import { rules, state } from "./worlds/states.ts";
import { viewOf } from "./worlds/view.ts";
import { createWorld, type State, type World } from "./worlds/world.ts";

const RUNS = Number(process.env["ACCESS_RUNS"] ?? 300);

const serve = ADAPTERS["node-http"] as (typeof ADAPTERS)[string];
const small = fc.integer({ min: 0, max: 2 });
const changes = fc.array(hiddenChange, { minLength: 1, maxLength: 8 });

test("what P may not see cannot change one byte of what it gets, in either style", async () => {
  let different = 0;
  let seeing = 0;
  await fc.assert(
    fc.asyncProperty(rules, state, changes, requests, async (allowed, first, hidden, asked) => {
      const second = hidden.reduce((now, change) => applyHidden(allowed, now, change)?.state ?? now, first);
      expect(viewOf(allowed, second)).toBe(viewOf(allowed, first));
      if (second !== first) different++;
      if (viewOf(allowed, first) !== "[[],[]]") seeing++;
      const [one, other] = [createWorld(allowed, first), createWorld(allowed, second)];
      for (const request of asked) expect(await answer(one, request)).toEqual(await answer(other, request));
    }),
    { numRuns: RUNS },
  );
  // Most pairs of states do differ, and in many of them P sees something.
  expect(different).toBeGreaterThan(RUNS / 2);
  expect(seeing).toBeGreaterThan(RUNS / 5);
}, 3_600_000);

/** The text of a stream of P's, without the ids of its events: they count all changes of an API (docs/adr/0017). */
async function watch({ api }: World, url: string, body?: unknown): Promise<{ readonly end: () => Promise<string> }> {
  const abort = new AbortController();
  const method = body === undefined ? "GET" : "POST";
  const response = await api.handle(toRequest(method, url, body, "text/event-stream", abort.signal));
  let text = `${response?.status} ${JSON.stringify(response?.headers)}\n`;
  const stream = response?.body ?? null;
  if (stream === null || typeof stream === "string" || stream instanceof Uint8Array) {
    return { end: async () => text + String(stream) };
  }
  const iterator = stream[Symbol.asyncIterator]();
  const reading = (async () => {
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) text += next.value;
  })();
  return {
    end: async () => {
      // As an adapter does, when the client has gone.
      abort.abort();
      await iterator.return?.();
      await reading;
      return text.replaceAll(/^(?:id)?:.*\n/gm, "").replaceAll(/,"extensions":\{"eventId":"[^"]*"\}/g, "");
    },
  };
}

const SUBSCRIPTIONS = [
  "subscription { rowUpdated { id color price box { id color } } }",
  "subscription { rowCreated { id color } }",
  "subscription { rowDeleted { id } }",
];

async function watchAll(world: World): Promise<() => Promise<readonly string[]>> {
  const streams = [
    await watch(world, "/rows"),
    await watch(world, "/rows?initial=true&fields=id,color"),
    await watch(world, "/rows?filter[color]=1&include=box"),
    ...(await Promise.all(SUBSCRIPTIONS.map(async (query) => watch(world, "/graphql", { query })))),
  ];
  return async () => Promise.all(streams.map(async ({ end }) => end()));
}

test("nor one byte of its event streams", async () => {
  await fc.assert(
    fc.asyncProperty(rules, state, changes, changes, small, async (allowed, first, hidden, others, color) => {
      const worlds = [createWorld(allowed, first), createWorld(allowed, first)] as const;
      const ends = await Promise.all(worlds.map(watchAll));
      const performed: State[] = [];
      for (const [world, list] of [
        [worlds[0], hidden],
        [worlds[1], others],
      ] as const) {
        let now = first;
        for (const change of list) {
          const applied = applyHidden(allowed, now, change);
          if (applied === undefined) continue;
          await applied.perform(world);
          now = applied.state;
        }
        performed.push(now);
      }
      for (const now of performed) expect(viewOf(allowed, now)).toBe(viewOf(allowed, first));
      // Something that all see, if they see anything: a change of a row in both worlds.
      const shown = first.rows[0]?.id ?? 0;
      const isSame = performed.every(({ rows }) => rows.some((row) => row.id === shown && row.color !== color));
      if (isSame) for (const { system } of worlds) await system.row.actions.set(shown, { color });
      await new Promise((resolve) => setTimeout(resolve, 15));
      const [one, other] = await Promise.all(ends.map(async (end) => end()));
      // What the last change showed is compared where it left both worlds with the same view.
      const after = performed.map(({ rows, notes }) =>
        viewOf(allowed, { rows: rows.map((row) => (isSame && row.id === shown ? { ...row, color } : row)), notes }),
      );
      expect(one).toEqual(after[0] === after[1] ? other : one);
    }),
    { numRuns: RUNS },
  );
}, 3_600_000);

/** What a socket of P's gets: an answer, and then events. */
async function overSocket(world: World, perform: () => Promise<unknown>): Promise<readonly unknown[]> {
  const served = await serve(world.api);
  const client = createClient({
    url: `${served.url.replace("http", "ws")}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: "Bearer p" },
    retryAttempts: 0,
  });
  const got: unknown[] = [];
  const read = async (query: string): Promise<void> => {
    try {
      for await (const result of client.iterate({ query })) got.push([query, result]);
    } catch (thrown) {
      got.push([query, thrown]);
    }
  };
  await read("{ rows(sort: [COLOR_ASC]) { totalCount nodes { id color price items { totalCount } box { id } } } }");
  const reading = SUBSCRIPTIONS.map(read);
  // Nothing in the protocol says that a subscription is there.
  await new Promise((resolve) => setTimeout(resolve, 30));
  await perform();
  await new Promise((resolve) => setTimeout(resolve, 30));
  await client.dispose();
  await Promise.all(reading);
  await served.close();
  return got.map((one) => JSON.stringify(one).replaceAll(/,"extensions":\{"eventId":"[^"]*"\}/g, "")).sort();
}

test("nor one message over WebSocket", async () => {
  await fc.assert(
    fc.asyncProperty(rules, state, changes, changes, async (allowed, first, hidden, others) => {
      const both = [hidden, others].map(async (list) => {
        const world = createWorld(allowed, first);
        return overSocket(world, async () => {
          let now = first;
          for (const change of list) {
            const applied = applyHidden(allowed, now, change);
            await applied?.perform(world);
            now = applied?.state ?? now;
          }
        });
      });
      const [one, other] = await Promise.all(both);
      expect(one).toEqual(other);
    }),
    { numRuns: Math.ceil(RUNS / 10) },
  );
}, 3_600_000);
