import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { allow, type Bus, defineApi, defineResource, memoryBus, silentLog } from "@bifocal/core";
import { nodeHttp } from "@bifocal/node-http";
import { sqlStore } from "@bifocal/sql";
import { brokers, servers, startTcpProxy, type TcpProxy, type TestDatabase } from "@bifocal/test-servers";
import mysql from "mysql2/promise";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  type Subscriber,
  subscribeByGraphqlStream,
  subscribeBySocket,
  subscribeByStream,
} from "../chaos/subscriber.ts";
import { createBus } from "../events/buses.ts";

const OUTAGE = 3_000;

const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});

function createApi(url: string, bus: Bus | undefined) {
  return defineApi({
    resources: [book],
    store: sqlStore({ url, autoCreate: false, max: 4, connectTimeout: 1_000 }),
    events: { poll: 100, ...(bus === undefined ? {} : { bus }) },
    log: silentLog,
  });
}

async function execute(url: string, statement: string): Promise<void> {
  if (url.startsWith("postgres")) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(statement);
    await client.end();
  } else {
    const connection = await mysql.createConnection(url);
    await connection.query(statement);
    await connection.end();
  }
}

const DATABASES = servers.filter(({ name }) => name !== "sqlite");
const BUSES = [
  { name: "memory", missing: undefined, create: () => [memoryBus(), undefined] as const },
  ...brokers.map(({ name, missing, url }) => ({
    name,
    missing,
    create: () => {
      const channel = `outage_${randomUUID()}`;
      return [createBus[name](url, channel), createBus[name](url, channel)] as const;
    },
  })),
];

for (const { name, missing, create } of DATABASES)
  describe.skipIf(missing !== undefined)(`subscribers while ${name} is away`, () => {
    let database: TestDatabase;
    let proxy: TcpProxy;
    let closing: (() => unknown)[];
    beforeEach(async () => {
      database = await create();
      const { hostname, port } = new URL(database.url);
      proxy = await startTcpProxy({ host: hostname, port: Number(port) });
      closing = [() => database.drop(), () => proxy.close()];
      const maker = defineApi({ resources: [book], store: sqlStore({ url: database.url, autoCreate: true }) });
      await maker.ready;
      await maker.close();
    });
    afterEach(async () => {
      for (const close of closing.reverse()) await close();
    });

    /**
     * One instance with subscribers that loses its database through the proxy, and another that keeps it and writes.
     */
    async function start(readerBus?: Bus, writerBus?: Bus) {
      const reader = createApi(proxy.urlOf(database.url), readerBus);
      const writer = createApi(database.url, writerBus ?? readerBus);
      await Promise.all([reader.ready, writer.ready]);
      const mount = nodeHttp(reader);
      const server = createServer(mount);
      mount.attach(server);
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const subscribers = [subscribeByStream, subscribeByGraphqlStream, subscribeBySocket].map((one) => one(url));
      closing.push(async () => {
        await Promise.all(subscribers.map((one) => one.stop()));
        server.closeAllConnections();
        server.close();
        await Promise.all([reader.close(), writer.close()]);
      });
      await Promise.all(subscribers.map(({ opened }) => opened));
      let id = 0;
      const write = async (): Promise<void> => void (await writer.local.book.create({ id: ++id, title: "x" }));
      // Wait until the buses are connected. An event before that may be missed.
      const heardLast = (): boolean => subscribers.every(({ heard }) => heard.at(-1)?.key === id);
      while (!heardLast()) {
        await write();
        await sleep(200);
      }
      const first = id;
      return { subscribers, write, keys: () => Array.from({ length: id - first }, (_, n) => first + 1 + n), first };
    }

    async function expectAll(subscribers: readonly Subscriber[], first: number, keys: readonly number[]) {
      const heard = (): number[][] =>
        subscribers.map((one) => one.heard.map(({ key }) => key).filter((key) => key > first));
      await expect.poll(heard, { timeout: 20_000 }).toEqual(subscribers.map(() => keys));
      expect(subscribers.map((one) => [one.resets(), one.connections()])).toEqual(subscribers.map(() => [0, 1]));
    }

    for (const bus of BUSES)
      test.skipIf(bus.missing !== undefined)(
        `receive every change that a bus of ${bus.name} delivers, without a reset`,
        async () => {
          // Without a log in the database, changes arrive over the bus, and their rows cannot be read until the
          // database is back.
          await execute(database.url, "drop table bifocal_event");
          const { subscribers, write, keys, first } = await start(...bus.create());
          await proxy.refuse();
          const until = performance.now() + OUTAGE;
          while (performance.now() < until) {
            await write();
            await sleep(50);
          }
          await proxy.accept();
          expect(keys().length).toBeGreaterThan(10);
          await expectAll(subscribers, first, keys());
        },
        60_000,
      );

    test("receive every change of the log, without a reset", async () => {
      const { subscribers, write, keys, first } = await start();
      let isOver = false;
      // Fewer changes than the queue holds (1,000). Above that, a reset would be correct.
      const writing = Array.from({ length: 2 }, async () => {
        while (!isOver) {
          await write();
          await sleep(25);
        }
      });
      for (const outage of [500, OUTAGE, 500, 500, 500]) {
        await sleep(300);
        await proxy.refuse();
        await sleep(outage / 3);
        await proxy.accept();
        // The database comes back and fails again immediately.
        await sleep(30);
        proxy.cut();
        await proxy.refuse();
        await sleep(outage);
        await proxy.accept();
      }
      isOver = true;
      await Promise.all(writing);
      expect(keys().length).toBeGreaterThan(100);
      const heard = (): boolean =>
        subscribers.every(
          (one) => new Set(one.heard.map(({ key }) => key).filter((key) => key > first)).size === keys().length,
        );
      await expect.poll(heard, { timeout: 20_000 }).toBe(true);
      expect(subscribers.map((one) => [one.resets(), one.connections()])).toEqual(subscribers.map(() => [0, 1]));
    }, 60_000);
  });
