import { listenWithExpress } from "./adapters/express.ts";
import { listenWithFastify } from "./adapters/fastify.ts";
import type { Listen } from "./adapters/listen.ts";
import { listenWithNodeHttp } from "./adapters/node-http.ts";
import { type BookstoreOptions, createBookstore } from "./create.ts";
import type { Keys } from "./keys.ts";

export { type BookstoreApi, type BookstoreOptions, createBookstore } from "./create.ts";
export type { Keys } from "./keys.ts";

const ADAPTERS = {
  fastify: listenWithFastify,
  express: listenWithExpress,
  "node-http": listenWithNodeHttp,
} satisfies Record<string, Listen>;

export type AdapterName = keyof typeof ADAPTERS;

export interface StartOptions extends BookstoreOptions {
  /** `fastify` (default), `express` or `node-http`. */
  readonly adapter?: AdapterName | undefined;
  /** Default: 3000. 0 selects a free port. */
  readonly port?: number | undefined;
  /** Default: 127.0.0.1. */
  readonly host?: string | undefined;
}

export interface RunningBookstore {
  /** The URL of the mounted API, without a trailing slash. */
  readonly url: string;
  readonly keys: Keys;
  /** Creates an API key of a user, which is stored as a hash. */
  readonly issueKey: (userId: string, name: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

export function isAdapterName(name: string): name is AdapterName {
  return Object.hasOwn(ADAPTERS, name);
}

/** Creates a bookstore and serves it. */
export async function startBookstore(options: StartOptions = {}): Promise<RunningBookstore> {
  const { adapter = "fastify", port = 3000, host = "127.0.0.1" } = options;
  const { api, keys, fill, issueKey } = createBookstore(options);
  await fill();
  const { url, close } = await ADAPTERS[adapter](api, { port, host });
  return { url, keys, issueKey, close };
}
