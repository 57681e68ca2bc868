import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type AnyApi, type CloseOptions, SERVER_OPTIONS } from "@bifocal/core/adapter";
import { checkApi, checkCallOptions } from "@bifocal/core/internal";
import { nodeHttp, type NodeHttpOptions } from "./node-http.ts";

export interface ServeOptions extends NodeHttpOptions {
  /** A number from 0 to 65535, or its digits as in `process.env.PORT`. 0 selects a free port. Default: 3000. */
  readonly port?: number | string | undefined;
  /** The address to listen on, such as `"127.0.0.1"`. Default: all addresses, as in Node. */
  readonly host?: string | undefined;
}

export interface RunningServer {
  /** The URL of the API, with its prefix, without a slash at the end. */
  readonly url: string;
  readonly server: Server;
  /** Ends subscriptions with 1012, completes running responses, and closes the server. */
  readonly close: (options?: CloseOptions) => Promise<void>;
}

/**
 * Serves an API on a new `node:http` server with `SERVER_OPTIONS` and WebSockets, and resolves when it accepts
 * connections. Rejects if the port isn't a number, is in use, or can't be opened.
 *
 * @example
 * const { url, close } = await serve(api, { port: process.env.PORT }).catch(exitWithMessage);
 * console.log(url);
 * process.once("SIGTERM", () => void close());
 */
export async function serve(api: AnyApi, options: ServeOptions = {}): Promise<RunningServer> {
  checkApi("serve", api);
  checkCallOptions("serve", options, { port: true, host: "a string", prefix: "a string", fallback: "a function" });
  const { port = 3000, host, prefix = "", fallback } = options;
  const number = toPort(port);
  const listener = nodeHttp(api, fallback === undefined ? { prefix } : { prefix, fallback });
  // An `import` of node:http would also load Node's `fetch`, a tenth of the time until the first response.
  const { createServer } = process.getBuiltinModule("node:http");
  const server = createServer(SERVER_OPTIONS, listener);
  listener.attach(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(explain(error, number, host)));
    server.listen(number, host, resolve);
  });
  return {
    url: `http://${hostOf(host)}:${(server.address() as AddressInfo).port}${prefix}`,
    server,
    close: (closing) => listener.close(server, closing),
  };
}

/** Codes of Node for a host that it can't resolve or listen on. */
const NO_HOST: ReadonlySet<string> = new Set(["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN"]);

function toPort(port: number | string): number {
  const number = typeof port === "string" && /^\d+$/.test(port) ? Number(port) : port;
  if (typeof number === "number" && Number.isInteger(number) && number >= 0 && number <= 65_535) return number;
  const problem = `The port must be a number from 0 to 65535; received ${JSON.stringify(port)}. Choose one, such as 3000.`;
  // The code of Node for the same mistake.
  throw Object.assign(new TypeError(problem), { code: "ERR_SOCKET_BAD_PORT" });
}

function explain(error: NodeJS.ErrnoException, port: number, host: string | undefined): Error {
  const { code = "" } = error;
  const problem =
    code === "EADDRINUSE"
      ? `Port ${port} is in use. Stop the other program, or choose another port.`
      : code === "EACCES"
        ? `The process is not allowed to open port ${port}. Choose a port above 1023.`
        : NO_HOST.has(code)
          ? `'${host}' is not an address of this machine. Set 'host' to one, such as 127.0.0.1, or leave it out.`
          : `The server can't listen on port ${port}: ${error.message}.`;
  const explained = Object.assign(new Error(problem, { cause: error }), { code });
  // In a terminal, the stacks would hide what to do. They have only functions of Node.
  explained.stack = `Error: ${problem}`;
  error.stack = String(error);
  return explained;
}

/** Browsers can't open the address that means "all addresses". */
function hostOf(host: string | undefined): string {
  if (host === undefined || host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
