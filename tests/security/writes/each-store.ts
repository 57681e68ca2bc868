import { type AnyApi, type Authenticator, memoryStore, type Principal, type Store } from "@bifocal/core";
import { sqlStore } from "@bifocal/sql";
import { servers } from "@bifocal/test-servers";
import { ADAPTERS } from "../access/doors.ts";

export interface Place {
  readonly name: string;
  /** Why its tests are skipped: the server isn't running. */
  readonly missing: string | undefined;
  readonly open: () => Promise<{ readonly store: Store; readonly drop: () => Promise<void> }>;
}

/** Memory and every SQL store, each with its own database. */
export const PLACES: readonly Place[] = [
  { name: "memory", missing: undefined, open: async () => ({ store: memoryStore(), drop: async () => {} }) },
  ...servers.map(({ name, missing, create }) => ({
    name,
    missing,
    open: async () => {
      const { url, drop } = await create();
      return { store: sqlStore({ url, autoCreate: true, max: 4 }), drop };
    },
  })),
];

/** The bearer token is the name of the caller. */
export function bearerOf(people: Readonly<Record<string, Principal>>): Authenticator {
  return {
    challenge: "Bearer",
    headers: ["Authorization"],
    schemes: {},
    authenticate: ({ headers }) => people[String(headers["authorization"]).replace("Bearer ", "")] ?? null,
  };
}

export interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

/** Sends a request as the caller with a token; an empty token is anonymous. */
export type Ask = (who: string, method: string, path: string, sent?: Sent) => Promise<Reply>;

/** Serves an API over HTTP on loopback, for as long as `work` takes. */
export async function withApi<T>(
  { open }: Pick<Place, "open">,
  createApi: (store: Store) => AnyApi,
  work: (ask: Ask) => Promise<T>,
  serve = ADAPTERS["node-http"],
): Promise<T> {
  if (serve === undefined) throw new Error("There is no such adapter.");
  const { store, drop } = await open();
  const { url, close } = await serve(createApi(store));
  try {
    return await work(askAt(url));
  } finally {
    await close();
    await drop();
  }
}

function askAt(url: string): Ask {
  return async (who, method, path, { body, headers = {} } = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(who === "" ? {} : { authorization: `Bearer ${who}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") === true && text !== "";
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
  };
}
