import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startFleet } from "./fleet.ts";
import { unaccountedBy, untilAllHeard } from "./missed-by.ts";
import { type Subscriber, subscribeByGraphqlStream, subscribeBySocket, subscribeByStream } from "./subscriber.ts";
import { startWriter } from "./writer.ts";

export interface CrashOptions {
  /** The URL of the database, of any kind. */
  readonly url: string;
  /** How often a process is killed by `kill -9` and restarted: the application, unless `kill` is given. */
  readonly kills: number;
  readonly kill?: () => Promise<void>;
  readonly hands?: number;
}

export interface CrashReport {
  readonly sent: number;
  readonly acknowledged: number;
  /** Acknowledged rows that are missing. */
  readonly lost: readonly string[];
  /** Rows that exist more than once. */
  readonly doubled: readonly string[];
  /** Rows that were never sent. */
  readonly invented: readonly string[];
  /** Requests without a response, or with a response to retry later. */
  readonly failures: number;
  /** Events that a subscriber missed without a `reset`. */
  readonly missed: readonly number[];
  /** Events received by all subscribers together. */
  readonly events: number;
  readonly resets: number;
}

/**
 * Writes with idempotency keys while the application is killed at random moments (SECURITY J08, S3), and compares
 * the acknowledged writes with the stored rows.
 */
export async function runCrashes({ url, kills, kill, hands = 6 }: CrashOptions): Promise<CrashReport> {
  const fleet = await startFleet(1, { DATABASE_URL: url, NODE_COMPILE_CACHE: join(tmpdir(), "bifocal-chaos") });
  const sent = new Set<string>();
  const acknowledged = new Set<string>();
  const subscribers = [subscribeByStream, subscribeByGraphqlStream, subscribeBySocket].map((one) =>
    one(() => fleet.url),
  );
  let [isOver, failures] = [false, 0];

  async function write(): Promise<void> {
    const token = randomUUID();
    sent.add(token);
    while (!acknowledged.has(token)) {
      if ((await post(fleet.url, token)) === 201) acknowledged.add(token);
      else {
        failures++;
        await sleep(15);
      }
    }
  }

  try {
    await Promise.all(subscribers.map(({ opened }) => opened));
    // A subscriber can resume only after its first event.
    const writer = startWriter(() => fleet.url, { perSecond: 50, hands: 4 });
    while (!subscribers.every(({ heard }) => heard.length > 0)) await sleep(10);
    const first = writer.sent() + 1;
    const writing = Array.from({ length: hands }, async () => {
      while (!isOver) await write();
    });
    for (let times = 0; times < kills; times++) {
      await sleep(50 + Math.random() * 750);
      if (kill !== undefined) await kill();
      else {
        await fleet.kill(0);
        await fleet.start(0);
      }
    }
    isOver = true;
    await Promise.all([...writing, writer.stop()]);
    const told = [...writer.acknowledged].filter((key) => key >= first);
    const missedBy = (one: Subscriber, keys: readonly number[]): readonly number[] =>
      unaccountedBy(one, keys, writer.sentAt);
    await untilAllHeard(subscribers, told, missedBy);
    const there = await tokensAt(fleet.url);
    const counts = new Map<string, number>();
    for (const token of there) counts.set(token, (counts.get(token) ?? 0) + 1);
    return {
      sent: sent.size,
      acknowledged: acknowledged.size,
      lost: [...acknowledged].filter((token) => !counts.has(token)),
      doubled: [...counts].filter(([, count]) => count > 1).map(([token]) => token),
      invented: [...counts.keys()].filter((token) => !sent.has(token)),
      failures,
      missed: subscribers.flatMap((one) => missedBy(one, told)),
      events: subscribers.reduce((sum, { heard }) => sum + heard.length, 0),
      resets: subscribers.reduce((sum, { resets }) => sum + resets(), 0),
    };
  } finally {
    await Promise.all(subscribers.map((one) => one.stop()));
    await fleet.stop();
  }
}

async function post(url: string, token: string): Promise<number | undefined> {
  try {
    const headers = { "content-type": "application/json", "idempotency-key": token };
    const signal = AbortSignal.timeout(5_000);
    const response = await fetch(`${url}/orders`, { method: "POST", headers, body: JSON.stringify({ token }), signal });
    await response.arrayBuffer();
    return response.status;
  } catch {
    // The instance was killed before it responded, or was not running.
    return undefined;
  }
}

/** Reads all tokens, page by page. */
async function tokensAt(url: string): Promise<readonly string[]> {
  const tokens: string[] = [];
  for (let path: string | undefined = "/orders?page[size]=100"; path !== undefined; ) {
    const response: Response = await fetch(url + path);
    for (const { token } of (await response.json()) as { token: string }[]) tokens.push(token);
    path = /<([^>]+)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
  }
  return tokens;
}
