export { redisBus, type RedisBusOptions } from "./redis-bus.ts";
export { redisRateLimits, type RedisRateLimitsOptions } from "./redis-rate-limits.ts";
export { redisIdempotency, type RedisIdempotencyOptions } from "./redis-idempotency.ts";
