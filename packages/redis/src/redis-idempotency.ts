import { BifocalError, type IdempotencyStore } from "@bifocal/core";
import { checkCallOptions, checkRequired } from "@bifocal/core/internal";
import type { Claim, ClaimResult, KeptAnswer } from "@bifocal/core/store";
import { type Client, end, open } from "./connect.ts";

export interface RedisIdempotencyOptions {
  /** The URL: `redis://…` or `rediss://…`. */
  readonly url: string;
  /** The prefix of keys. Default: `"bifocal:idempotency:"`. */
  readonly prefix?: string;
}

/** Milliseconds that a request waits for a connection. */
const CONNECTION_TIMEOUT_MS = 1_000;

/** Atomic, and based on the clock of Redis, so that the clocks of the instances may differ. */
const CLAIM = `
local kept = redis.call('HMGET', KEYS[1], 'fingerprint', 'lease', 'answer')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if kept[1] and (kept[3] or tonumber(kept[2]) > now) then return {kept[1], kept[3] or ''} end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'fingerprint', ARGV[1], 'lease', now + ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {}`;

const COMPLETE = `
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], 'answer', ARGV[1]) end
return 0`;

/**
 * Stores the responses to requests with an `Idempotency-Key` in Redis, for all instances. Throws UNAVAILABLE if Redis
 * is unavailable, because executing a request twice would be worse.
 *
 * @example defineApi({ resources, store, idempotency: { store: redisIdempotency({ url: "redis://localhost" }) } });
 */
export function redisIdempotency(options: RedisIdempotencyOptions): IdempotencyStore & {
  readonly close: () => void;
} {
  checkCallOptions("redisIdempotency", options, { url: "a string", prefix: "a string" });
  const { url, prefix = "bifocal:idempotency:" } = options;
  checkRequired("redisIdempotency", "url", url, '{ url: "redis://localhost" }');
  let client: Client | undefined;

  async function evaluate(script: string, token: string, values: readonly string[]): Promise<unknown> {
    client ??= start(url);
    try {
      await ready(client);
      return await client.eval(script, { keys: [prefix + token], arguments: [...values] });
    } catch (cause) {
      const headers = { "Retry-After": "5" };
      throw new BifocalError(
        "UNAVAILABLE",
        "The store of idempotency keys is unavailable. Try again in a few seconds.",
        {
          cause,
          headers,
        },
      );
    }
  }

  return {
    async claim({ token, fingerprint, lease, expires }: Claim): Promise<ClaimResult> {
      const times = [lease, expires].map((time) => String(Math.max(1, Math.ceil(time - Date.now()))));
      const [known, answer] = (await evaluate(CLAIM, token, [fingerprint, ...times])) as readonly string[];
      if (known === undefined) return { kind: "new" };
      if (answer === undefined || answer === "") return { kind: "running", fingerprint: known };
      return { kind: "done", fingerprint: known, answer: JSON.parse(answer) as KeptAnswer };
    },
    async complete(token, answer) {
      await evaluate(COMPLETE, token, [JSON.stringify(answer)]);
    },
    async release(token) {
      await evaluate("return redis.call('DEL', KEYS[1])", token, []);
    },
    close() {
      if (client !== undefined) end(client);
    },
  };
}

function start(url: string): Client {
  const client = open(url);
  client.connect().catch(() => {});
  return client;
}

async function ready(client: Client): Promise<void> {
  if (client.isReady) return;
  let timer: NodeJS.Timeout | undefined;
  let onReady: (() => void) | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      onReady = resolve;
      client.once("ready", resolve);
      timer = setTimeout(() => reject(new Error("Redis does not respond.")), CONNECTION_TIMEOUT_MS).unref();
    });
  } finally {
    clearTimeout(timer);
    if (onReady !== undefined) client.off("ready", onReady);
  }
}
