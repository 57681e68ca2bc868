import { defineApi, memoryStore, silentLog, type Store } from "@bifocal/core";
import type { HttpResponse } from "@bifocal/core/adapter";
import { rateLimit } from "@bifocal/core/rate-limit";
import { fillStore } from "@bifocal/core/store";
import { sqlStore } from "@bifocal/sql";
import { servers, type TestServer } from "@bifocal/test-servers";
import { request } from "@bifocal/test-servers/request";
import type { Sent } from "./requests.ts";
import { RESOURCES, rowsOf } from "./resources.ts";

/** A store with rows in it. */
export interface World {
  readonly name: string;
  readonly missing: string | undefined;
  readonly open: (books: number) => Promise<OpenWorld>;
}

export interface OpenWorld {
  readonly send: (sent: Sent) => Promise<Reply>;
  /** The store's calls since the list was last cleared. */
  readonly calls: string[];
  readonly close: () => Promise<void>;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
  /** The remaining points. */
  readonly remaining: number;
}

const memory: World = {
  name: "memory",
  missing: undefined,
  open: async (books) => openApi(memoryStore({ data: rowsOf(books) }), async () => {}),
};

function onServer({ name, missing, create }: TestServer): World {
  return {
    name,
    missing,
    async open(books) {
      const database = await create();
      const store = sqlStore({ url: database.url, autoCreate: true, max: 4 });
      const world = await openApi(store, database.drop);
      await fillStore(store, world.model, rowsOf(books));
      return world;
    },
  };
}

export const WORLDS: readonly World[] = [memory, ...servers.map(onServer)];

async function openApi(store: Store, drop: () => Promise<void>) {
  const calls: string[] = [];
  // The limits permit everything, so that the header shows the cost of each request.
  const api = defineApi({
    resources: RESOURCES,
    store: watched(store, calls),
    rateLimit: rateLimit({ anonymousPoints: 1_000_000 }),
    graphql: { batching: true },
    log: silentLog,
  });
  await api.ready;
  const close = async (): Promise<void> => {
    await api.close();
    await drop();
  };
  const send = async ({ method, url, type = "application/json", body }: Sent): Promise<Reply> => {
    const headers = body === undefined ? {} : { "content-type": type };
    const asked = request(method, encodeURI(url), { headers, body });
    return readReply(await api.handle({ ...asked, address: "10.0.0.1" }));
  };
  return { send, calls, close, model: api.model };
}

async function readReply(response: HttpResponse | null): Promise<Reply> {
  if (response === null) throw new Error("There is no answer to read.");
  const remaining = Number(/r=(\d+)/.exec(String(response.headers["RateLimit"]))?.[1]);
  return { status: response.status, text: await readText(response.body), remaining };
}

async function readText(body: HttpResponse["body"]): Promise<string> {
  if (body === null || body === undefined || typeof body === "string") return body ?? "";
  if (body instanceof Uint8Array) return new TextDecoder().decode(body);
  let text = "";
  for await (const part of body) text += typeof part === "string" ? part : new TextDecoder().decode(part);
  return text;
}

const READS_AND_WRITES: ReadonlySet<string | symbol> = new Set([
  "byKeys",
  "list",
  "listPer",
  "listTexts",
  "insert",
  "update",
  "delete",
  "transaction",
]);

/** The same store, with its calls recorded. */
function watched(store: Store, calls: string[]): Store {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...args: unknown[]): unknown => {
        if (READS_AND_WRITES.has(name)) calls.push(String(name));
        return Reflect.apply(member, target, args);
      };
    },
  });
}
