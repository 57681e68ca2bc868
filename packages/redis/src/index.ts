export { redisBus, type RedisBusOptions } from "./redis-bus.ts";
export { redisIdempotency, type RedisIdempotencyOptions } from "./redis-idempotency.ts";
