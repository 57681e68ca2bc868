import { randomUUID } from "node:crypto";
import { type Bus, memoryBus } from "@bifocal/core";
import { brokers, startTcpProxy, type TcpProxy } from "@bifocal/test-servers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createBus } from "./buses.ts";

/** Subscribes to a bus and counts its `missed` notifications. */
function listen(bus: Bus): { readonly heard: string[]; readonly missed: () => number; readonly end: () => void } {
  const heard: string[] = [];
  let missed = 0;
  const end = bus.subscribe({ message: (text) => heard.push(text), missed: () => missed++ });
  return { heard, missed: () => missed, end };
}

/** Publishes until the bus accepts the message: it throws while it connects. */
async function publish(bus: Bus, message: string): Promise<void> {
  await expect.poll(async () => (await tell(bus, message)) === undefined, { timeout: 10_000 }).toBe(true);
}

async function tell(bus: Bus, message: string): Promise<unknown> {
  try {
    await bus.publish(message);
    return undefined;
  } catch (thrown) {
    return thrown;
  }
}

/** Waits until each bus receives the other's messages. */
async function connected(...buses: readonly Bus[]): Promise<void> {
  for (const bus of buses) {
    const own = listen(bus);
    const message = `hello ${randomUUID()}`;
    await expect
      .poll(async () => (await tell(bus, message), own.heard.includes(message)), { timeout: 10_000 })
      .toBe(true);
    own.end();
  }
}

interface Case {
  readonly name: string;
  readonly missing: string | undefined;
  /** The second bus connects through the proxy, if there is one. */
  readonly start: () => Promise<{ readonly buses: readonly [Bus, Bus]; readonly proxy: TcpProxy | undefined }>;
}

const remote = brokers.map(({ name, url, host, port, missing }) => ({
  name: `of ${name}`,
  missing,
  start: async () => {
    const proxy: TcpProxy = await startTcpProxy({ host, port });
    const channel = `bifocal_${randomUUID()}`;
    const buses = [url, proxy.urlOf(url)].map((own) => createBus[name](own, channel));
    return { buses: buses as [Bus, Bus], proxy };
  },
}));
const shared = memoryBus();
const local: Case = {
  name: "in memory",
  missing: undefined,
  start: async () => ({ buses: [shared, shared] as [Bus, Bus], proxy: undefined }),
};

for (const { name, missing, start } of [local, ...remote] satisfies readonly Case[]) {
  describe.skipIf(missing !== undefined)(`a bus ${name} ${missing ?? ""}`, () => {
    let one: Bus;
    let other: Bus;
    let proxy: TcpProxy | undefined;
    beforeEach(async () => {
      ({
        buses: [one, other],
        proxy,
      } = await start());
    });
    afterEach(async () => {
      await one.close?.();
      await other.close?.();
      await proxy?.close();
    });

    test("delivers each message to all subscribers, in the order in which it was published", async () => {
      const [first, second] = [listen(other), listen(other)];
      await connected(one, other);
      const messages = Array.from({ length: 100 }, (_, n) => `${n} "\\ \n\u2028 ✓ 😀`);
      for (const message of messages) await one.publish(message);
      for (const { heard } of [first, second]) {
        await expect.poll(() => heard.filter((text) => !text.startsWith("hello"))).toEqual(messages);
      }
    });

    test("carries messages up to its `messageBytes`", async () => {
      const { heard } = listen(other);
      await connected(one, other);
      const message = "x".repeat(one.messageBytes ?? 65_536);
      await one.publish(message);
      await expect.poll(() => heard.includes(message)).toBe(true);
    });

    test("delivers nothing to a subscriber that has unsubscribed", async () => {
      const [going, staying] = [listen(other), listen(other)];
      await connected(one, other);
      going.end();
      const before = going.heard.length;
      await one.publish("later");
      await expect.poll(() => staying.heard.includes("later")).toBe(true);
      expect(going.heard).toHaveLength(before);
    });
  });
}

for (const { name, missing, start } of remote) {
  describe.skipIf(missing !== undefined)(`a bus ${name} that loses its connection ${missing ?? ""}`, () => {
    test("J11: rejects messages while disconnected, subscribes again, and reports that messages may be missing", async () => {
      const {
        buses: [one, other],
        proxy,
      } = await start();
      const listener = listen(other);
      await connected(one, other);
      expect(listener.missed()).toBe(0);
      for (let round = 1; round <= 2; round++) {
        await proxy.refuse();
        await expect.poll(async () => (await tell(other, "lost")) !== undefined, { timeout: 10_000 }).toBe(true);
        await publish(one, "while it was away");
        await proxy.accept();
        await expect.poll(() => listener.missed(), { timeout: 10_000 }).toBeGreaterThanOrEqual(round);
        await publish(one, `back ${round}`);
        await expect.poll(() => listener.heard.includes(`back ${round}`), { timeout: 10_000 }).toBe(true);
      }
      expect(listener.heard).not.toContain("while it was away");
      await one.close?.();
      await other.close?.();
      await proxy.close();
    }, 40_000);

    test("can start before its server, and close without it", async () => {
      const { buses, proxy } = await start();
      await proxy.refuse();
      const [one, late] = buses;
      const listener = listen(late);
      expect(await tell(late, "too early")).toBeInstanceOf(Error);
      await proxy.accept();
      await connected(one, late);
      expect(listener.heard).not.toContain("too early");
      // Other instances may have published before it was connected.
      await expect.poll(() => listener.missed()).toBe(1);
      await proxy.refuse();
      await late.close?.();
      await one.close?.();
      await proxy.close();
    }, 40_000);
  });
}
