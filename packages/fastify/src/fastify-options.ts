import { SERVER_OPTIONS } from "@bifocal/core/adapter";

/**
 * Timeouts and size limits for a public server, the same as `SERVER_OPTIONS` of the other adapters. Fastify sets
 * `requestTimeout` and `keepAliveTimeout` itself, to no limit and 72 seconds unless they are among its own options, so
 * `http: SERVER_OPTIONS` alone would lose both.
 *
 * @example const app = fastify({ ...FASTIFY_OPTIONS, logger: true });
 */
export const FASTIFY_OPTIONS = Object.freeze({
  http: SERVER_OPTIONS,
  requestTimeout: SERVER_OPTIONS.requestTimeout,
  keepAliveTimeout: SERVER_OPTIONS.keepAliveTimeout,
});
