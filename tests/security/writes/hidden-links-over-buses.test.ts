import { randomUUID } from "node:crypto";
import { type Bus, memoryBus, memoryStore } from "@bifocal/core";
import { brokers } from "@bifocal/test-servers";
import { describe, expect, test } from "vitest";
import { createBus } from "../../events/buses.ts";
import { CALLERS, count, createApi, END, listen, OLD, prepare, rowsOf, START, withServer } from "./linked-rows.ts";

const buses = [
  {
    name: "in memory",
    missing: undefined,
    create: () => {
      const bus = memoryBus();
      return () => bus;
    },
  },
  ...brokers.map(({ name, url, missing }) => ({
    name: `of ${name}`,
    missing,
    create: () => {
      const channel = `bifocal_${randomUUID()}`;
      return () => createBus[name](url, channel);
    },
  })),
];

describe.each(buses)("links of visible and hidden rows, over a bus $name", ({ missing, create }) => {
  test.skipIf(missing !== undefined)(
    "send no events from another instance, also if an earlier version sends them",
    async () => {
      const connect = create();
      const other = connect();
      const api = createApi(memoryStore(), connect());
      const send = (...changes: readonly object[]): Promise<boolean> =>
        tell(other, JSON.stringify({ v: 1, from: "another instance", kind: "changes", changes }));
      try {
        await withServer(api, async (url) => {
          await prepare(api);
          // A change of this title ends the streams. Its event comes last.
          await rowsOf(api).book.update("end", { title: "end" });
          const live = [];
          for (const who of CALLERS) live.push((await listen(url, who, "/books")).heard);
          let isHeard = false;
          const started = listenUntil(url, () => (isHeard = true));
          // Wait until both are connected.
          await expect.poll(async () => (await send(START), isHeard), { timeout: 10_000 }).toBe(true);
          await started;
          expect(await send({ ...OLD, linked: "hidden" }, { ...OLD, linked: "shown" }, OLD, END)).toBe(true);
          const heard = await Promise.all(live.map(async (one) => count((await one).rows)));
          expect(heard.map(({ b, end }) => ({ b, end }))).toEqual([
            { b: 1, end: 1 },
            { b: 3, end: 1 },
          ]);
        });
      } finally {
        await other.close?.();
      }
    },
    30_000,
  );
});

/** Listens to books until an event arrives. */
async function listenUntil(url: string, onEvent: () => void): Promise<void> {
  const response = await fetch(`${url}/books`, {
    headers: { accept: "text/event-stream" },
    signal: AbortSignal.timeout(15_000),
  });
  for await (const chunk of response.body ?? []) {
    if (new TextDecoder().decode(chunk as Uint8Array).includes("data:")) break;
  }
  onEvent();
}

/** Returns whether a bus accepted a message. It throws while it connects. */
async function tell(bus: Bus, message: string): Promise<boolean> {
  try {
    await bus.publish(message);
    return true;
  } catch {
    return false;
  }
}
