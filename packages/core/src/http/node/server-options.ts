import type { ServerOptions } from "node:http";

/**
 * Timeouts and size limits for a public server, stricter than Node's defaults:
 *
 * - 10 seconds for the head of a request, and 30 seconds for the whole request, checked every 5 seconds
 * - 5 seconds for an idle connection
 * - 16 KiB of headers
 *
 * @example const server = createServer(SERVER_OPTIONS, nodeHttp(api));
 */
export const SERVER_OPTIONS = Object.freeze({
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 5_000,
  maxHeaderSize: 16_384,
}) satisfies ServerOptions;
