import { brokers, servers, type TestDatabase } from "@bifocal/test-servers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runChaos } from "./chaos.ts";
import { type Fleet, startFleet } from "./fleet.ts";
import { subscribeBySocket, subscribeByStream } from "./subscriber.ts";

const postgres = servers.find(({ name }) => name === "postgres");

for (const broker of brokers) {
  const missing = postgres?.missing ?? broker.missing;
  describe.skipIf(missing !== undefined)(
    `two instances on PostgreSQL with a bus of ${broker.name} ${missing ?? ""}`,
    () => {
      let database: TestDatabase;
      let fleet: Fleet | undefined;
      beforeEach(async () => {
        if (postgres === undefined) throw new Error("There is no PostgreSQL.");
        database = await postgres.create();
      });
      afterEach(async () => {
        await fleet?.stop();
        fleet = undefined;
        await database.drop();
      });

      test("J09: delivers writes of one instance to subscribers of the other, and lets a subscriber resume there when its instance is killed", async () => {
        const env = {
          DATABASE_URL: database.url,
          BUS_KIND: broker.name,
          BUS_URL: broker.url,
          BUS_CHANNEL: `test_${process.pid}`,
        };
        // The poll interval is so long that only the bus can wake the instances.
        const own = (fleet = await startFleet(2, { ...env, POLL: "60000" }));
        const subscribers = [
          subscribeByStream(() => own.url),
          subscribeBySocket(() => own.url),
          subscribeByStream(() => own.urlOf(1)),
        ];
        await Promise.all(subscribers.map(({ opened }) => opened));
        const create = async (instance: number, id: number): Promise<number> => {
          const headers = { "content-type": "application/json" };
          const body = JSON.stringify({ id, title: "x" });
          return (await fetch(`${own.urlOf(instance)}/books`, { method: "POST", headers, body })).status;
        };
        const heard = (): number[][] => subscribers.map((one) => one.heard.map(({ key }) => key));
        const all = async (keys: readonly number[]): Promise<void> => {
          await expect.poll(heard, { timeout: 10_000 }).toEqual(subscribers.map(() => keys));
        };
        // Wait until each instance receives the other's messages: the bus may still be connecting.
        await expect
          .poll(async () => [await create(0, 1), heard()], { interval: 500, timeout: 10_000 })
          .toEqual([409, [[1], [1], [1]]]);
        for (let id = 2; id <= 10; id++) expect(await create(id % 2, id)).toBe(201);
        await all([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        await own.kill(0);
        for (let id = 11; id <= 20; id++) expect(await create(1, id)).toBe(201);
        await all(Array.from({ length: 20 }, (_, n) => n + 1));
        // Every subscriber receives the same event.
        expect(new Set(subscribers.map((one) => JSON.stringify(one.heard))).size).toBe(1);
        expect(subscribers.map((one) => one.resets())).toEqual([0, 0, 0]);
        await Promise.all(subscribers.map((one) => one.stop()));
      }, 60_000);

      test("J11: loses no event while instances are killed, the bus disconnects and subscribers reconnect", async () => {
        const report = await runChaos({
          database,
          broker,
          seconds: 6,
          perSecond: 100,
          kills: 2,
          cuts: 3,
          reconnects: 20,
        });
        expect(report).toMatchObject({ missed: [], invented: [], disordered: 0, resets: 0 });
        expect(report.acknowledged).toBeGreaterThan(200);
        expect(report.connections).toBeGreaterThan(20);
      }, 120_000);
    },
  );
}
