import { randomUUID } from "node:crypto";
import pg from "pg";
import { setTimeout as sleep } from "node:timers/promises";
import { startTcpProxy, type TestBroker, type TestDatabase } from "@bifocal/test-servers";
import { startFleet } from "./fleet.ts";
import { missedBy, untilAllHeard } from "./missed-by.ts";
import { type Subscriber, subscribeBySocket, subscribeByStream } from "./subscriber.ts";
import { startWriter } from "./writer.ts";

export interface ChaosOptions {
  readonly database: TestDatabase;
  readonly broker: TestBroker;
  readonly seconds: number;
  readonly perSecond: number;
  /** How often an instance is killed by `kill -9` and restarted. */
  readonly kills: number;
  /** How often the bus is interrupted. */
  readonly cuts: number;
  /** How often a subscriber loses its connection. */
  readonly reconnects: number;
}

export interface ChaosReport {
  readonly acknowledged: number;
  readonly missed: readonly number[];
  /** Events that were received but never sent. */
  readonly invented: readonly number[];
  /** Events that were repeated or out of order. */
  readonly disordered: number;
  readonly resets: number;
  readonly connections: number;
}

/**
 * Runs two instances with subscribers by both transports while connections and processes fail. Returns which writes
 * the subscribers received.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { database, broker, seconds, perSecond, kills, cuts, reconnects } = options;
  const proxy = await startTcpProxy(broker);
  const fleet = await startFleet(2, {
    DATABASE_URL: database.url,
    BUS_KIND: broker.name,
    BUS_URL: proxy.urlOf(broker.url),
    BUS_CHANNEL: `chaos_${randomUUID()}`,
  });
  const subscribers: Subscriber[] = [0, 1, 2, 3].map((n) =>
    n % 2 === 0 ? subscribeByStream(() => fleet.url) : subscribeBySocket(() => fleet.url),
  );
  try {
    await Promise.all(subscribers.map(({ opened }) => opened));
    const writer = startWriter(() => fleet.url, { perSecond, hands: 16 });
    // A subscriber without events has no id to resume from, so counting starts when all have received one.
    while (!subscribers.every(({ heard }) => heard.length > 0)) await sleep(10);
    const first = Math.max(...subscribers.map(({ heard }) => heard[0]?.key ?? 0), writer.sent()) + 1;
    const every = async (count: number, work: (n: number) => Promise<void> | void): Promise<void> => {
      for (let n = 0; n < count; n++) {
        await sleep((seconds * 1_000) / count);
        await work(n);
      }
    };
    await Promise.all([
      sleep(seconds * 1_000),
      every(kills, async (n) => {
        await fleet.kill(n % 2);
        await fleet.start(n % 2);
      }),
      every(cuts, async () => {
        await proxy.refuse();
        await sleep(Math.min(1_000, (seconds * 200) / cuts));
        await proxy.accept();
      }),
      every(reconnects, (n) => subscribers[n % subscribers.length]?.cut()),
    ]);
    await writer.stop();
    const counted = [...writer.acknowledged].filter((key) => key >= first);
    await untilAllHeard(subscribers, counted);
    const places = await readPlaces(database.url);
    const missed = subscribers.flatMap((one) => missedBy(one, counted));
    return {
      acknowledged: counted.length,
      missed,
      invented: subscribers.flatMap(({ heard }) => heard.map(({ key }) => key).filter((key) => key > writer.sent())),
      disordered: subscribers.reduce((sum, { heard }) => sum + disorderOf(heard, places), 0),
      resets: subscribers.reduce((sum, { resets }) => sum + resets(), 0),
      connections: subscribers.reduce((sum, { connections }) => sum + connections(), 0),
    };
  } finally {
    await Promise.all(subscribers.map((one) => one.stop()));
    await fleet.stop();
    await proxy.close();
  }
}

/** Reads the position of each book's event in the log. The encrypted id doesn't show it. */
async function readPlaces(url: string): Promise<ReadonlyMap<number, number>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ key: string; place: string }>(
      "select key, place from bifocal_event where place is not null",
    );
    return new Map(rows.map(({ key, place }) => [Number(JSON.parse(key)), Number(place)]));
  } finally {
    await client.end();
  }
}

/** Counts the events that come after an event with the same or a later position. */
function disorderOf(heard: Subscriber["heard"], placeOf: ReadonlyMap<number, number>): number {
  const places = heard.map(({ key }) => placeOf.get(key) as number);
  return places.filter((place, n) => n > 0 && place <= (places[n - 1] ?? 0)).length;
}
