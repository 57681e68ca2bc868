import { sqlStore } from "@bifocal/sql";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openSocket } from "../auth/doors.ts";
import { ADAPTERS } from "../auth/serve.ts";
import { createLibrary } from "./library.ts";

const GREEDY = 60;

describe.each(servers.filter(({ name, missing }) => name !== "sqlite" && missing === undefined))(
  "a saturated pool of $name",
  ({ create }) => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await create();
    }, 60_000);
    afterAll(() => database.drop());

    /**
     * Sends 60 requests of one caller and then one of another, while the only connection is in use. Returns the
     * order in which the callers got their responses.
     */
    async function orderOn(adapter: keyof typeof ADAPTERS, polite: (url: string) => Promise<unknown>) {
      const api = createLibrary({ store: sqlStore({ url: database.url, autoCreate: true, max: 1 }) });
      const served = await ADAPTERS[adapter](api);
      try {
        await api.ready;
        let end = (): void => {};
        const held = new Promise<void>((resolve) => (end = resolve));
        const holding = api.transaction(async (local) => {
          await local.book.list();
          await held;
        });
        const order: string[] = [];
        const ask = async (user: string, id: number): Promise<number> => {
          const response = await fetch(`${served.url}/books?page[size]=${1 + (id % 20)}`, {
            headers: { "x-user": user },
          });
          await response.arrayBuffer();
          order.push(user);
          return response.status;
        };
        const greedy: Promise<number>[] = [];
        for (let n = 0; n < GREEDY; n += 1) {
          greedy.push(ask("greedy", n));
          // Each request arrives before the next one, so that the first ones are queued.
          await sleep(2);
        }
        await sleep(50);
        const own = polite(served.url).then(() => order.push("polite"));
        await sleep(50);
        expect(order).toEqual([]);
        end();
        await holding;
        expect(new Set(await Promise.all(greedy))).toEqual(new Set([200]));
        await own;
        return order;
      } finally {
        await served.close();
      }
    }

    test.each(Object.keys(ADAPTERS) as (keyof typeof ADAPTERS)[])(
      "serves a second caller long before all requests of the first, on %s",
      async (adapter) => {
        const order = await orderOn(adapter, async (url) => {
          expect((await fetch(`${url}/books`, { headers: { "x-user": "polite" } })).status).toBe(200);
        });
        expect(order).toHaveLength(GREEDY + 1);
        expect(order.indexOf("polite")).toBeLessThan(GREEDY / 2);
      },
    );

    test("serves an anonymous caller and a WebSocket in turns too", async () => {
      const anonymous = await orderOn("node-http", async (url) => (await fetch(`${url}/books`)).arrayBuffer());
      expect(anonymous.indexOf("polite")).toBeLessThan(GREEDY / 2);
      const answered = vi.fn<(text: string) => void>();
      const overSocket = await orderOn("node-http", async (url) => {
        const socket = await openSocket(url, {});
        const next = new Promise<void>((resolve) => {
          socket.on("message", (data: Buffer) => {
            const { type } = JSON.parse(data.toString()) as { readonly type: string };
            const subscribe = { id: "1", type: "subscribe", payload: { query: "{ books { nodes { id } } }" } };
            if (type === "connection_ack") socket.send(JSON.stringify(subscribe));
            else if (type === "next" || type === "error") {
              answered(type);
              resolve();
            }
          });
        });
        socket.send('{"type":"connection_init","payload":{"user":"polite"}}');
        await next;
        socket.terminate();
      });
      expect(answered.mock.calls).toEqual([["next"]]);
      expect(overSocket.indexOf("polite")).toBeLessThan(GREEDY / 2);
    });
  },
);
