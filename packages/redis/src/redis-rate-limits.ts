import { end, open } from "./connect.ts";

export interface RedisRateLimitsOptions {
  /** `redis://…` or `rediss://…`. */
  readonly url: string;
}

/**
 * Where the instances of an API count together what callers spend: the `store` of `rateLimit()`, on a connection that comes
 * back by itself and is closed with the API.
 *
 * @example defineApi({ resources, store, rateLimit: rateLimit({ store: redisRateLimits({ url: "redis://localhost" }) }) });
 */
export function redisRateLimits({ url }: RedisRateLimitsOptions): {
  readonly type: "redis";
  readonly client: object;
  readonly close: () => void;
} {
  const client = open(url);
  client.connect().catch(() => {});
  return { type: "redis", client, close: () => end(client) };
}
