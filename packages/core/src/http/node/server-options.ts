import type { ServerOptions } from "node:http";

/**
 * The times and sizes of a server that faces strangers, tighter than Node's own: 10 seconds for the head of a request, 30 for all
 * of it, looked at every 5; 5 seconds for an idle connection; 16 KiB of headers.
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
