import { checkCallOptions, checkRequired } from "@bifocal/core/internal";
import { end, open } from "./connect.ts";

export interface RedisRateLimitsOptions {
  /** The URL: `redis://…` or `rediss://…`. */
  readonly url: string;
}

/**
 * Creates the `store` of `rateLimit()`, in which the instances of an API count together. Its connection reconnects
 * automatically, and is closed with the API.
 *
 * @example defineApi({ resources, store, rateLimit: rateLimit({ store: redisRateLimits({ url: "redis://localhost" }) })
 *   });
 */
export function redisRateLimits(options: RedisRateLimitsOptions): {
  readonly type: "redis";
  readonly client: object;
  readonly close: () => void;
} {
  checkCallOptions("redisRateLimits", options, { url: "a string" });
  checkRequired("redisRateLimits", "url", options.url, '{ url: "redis://localhost" }');
  const client = open(options.url);
  client.connect().catch(() => {});
  return { type: "redis", client, close: () => end(client) };
}
