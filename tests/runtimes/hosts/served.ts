import type { AnyApi } from "@bifocal/core/adapter";
import { createBookstore } from "@bifocal/example-bookstore/create";
import { fetchHandler } from "@bifocal/fetch";
import { sqlStore } from "@bifocal/sql";
import { createAuditApi } from "@bifocal/testing";
import type { ServedBookstore } from "../host.ts";
import { createEndless } from "./create-endless.ts";

interface Served {
  readonly api: AnyApi;
  /** An endless list, which the fallback serves at `/endless` too. */
  readonly endless: AnyApi;
  readonly options: {
    readonly prefix: string;
    readonly fallback: (request: Request) => Response | Promise<Response>;
  };
}

/**
 * Creates the bookstore at the root if it is given, or else the audited API at `/api`, and an endless list at `/endless`.
 * Further paths are for tests only. `fetch` is for hosts whose `node:http` can't check addresses.
 */
export function createServed(fetch?: typeof globalThis.fetch): Served {
  const given = process.env["BOOKSTORE"];
  const { api: endless, rowsRead } = createEndless();
  if (given === undefined) {
    const fallback = serveEndless(endless, rowsRead);
    return { api: createAuditApi(), endless, options: { prefix: "/api", fallback } };
  }
  const { authorizationServer, database, ...bookstore } = JSON.parse(given) as ServedBookstore;
  const { api, issueKey } = createBookstore({
    ...bookstore,
    ...(database === undefined ? {} : { store: sqlStore({ url: database, max: 4 }) }),
    // Test files that run beside it delay the event loop.
    limits: { http: { eventLoopDelay: 5_000 } },
    authorizationServer: authorizationServer && { ...authorizationServer, ...(fetch === undefined ? {} : { fetch }) },
  });
  return {
    api,
    endless,
    options: {
      prefix: "",
      async fallback({ url }) {
        const { pathname, searchParams } = new URL(url);
        if (pathname === "/-/close") {
          await api.close();
          return new Response();
        }
        if (pathname !== "/-/keys") return new Response(null, { status: 404 });
        return new Response(await issueKey(searchParams.get("user") ?? "", searchParams.get("name") ?? ""));
      },
    },
  };
}

function serveEndless(api: AnyApi, rowsRead: () => number): Served["options"]["fallback"] {
  return fetchHandler(api, {
    prefix: "/endless",
    address: () => "127.0.0.1",
    fallback: ({ url }) =>
      new URL(url).pathname === "/endless/rows-read"
        ? new Response(String(rowsRead()))
        : new Response(null, { status: 404 }),
  });
}
