import type { HttpRequest, HttpResponse, WebPage } from "../../message/message.ts";
import { isRead } from "./is-read.ts";

/** The page that browsers get at `/graphql`: an editor for documents, for example that of `@bifocal/graphiql`. */
export type GraphiqlPage = WebPage<GraphiqlView>;

export interface GraphiqlView {
  readonly title: string;
  /** The URL to which documents are sent. */
  readonly endpoint: string;
  /** The URL of the page's files, without a trailing slash. */
  readonly assets: string;
  /** Names of the headers that identify the caller, except those that browsers send automatically. */
  readonly credentials: readonly string[];
}

export const HTML = "text/html";

/** Whether a browser may have opened `/graphql`. GET requests of GraphQL clients have a query string. */
export function mayGetPage({ method, query }: HttpRequest): boolean {
  return isRead(method) && query === "";
}

/** Serves the page. It must not be cached, because it may contain a key that changes at each start. */
export function servePage(
  { page, headers }: GraphiqlPage,
  api: Pick<GraphiqlView, "title" | "credentials">,
  { prefix }: HttpRequest,
): HttpResponse {
  return {
    status: 200,
    headers: {
      "Content-Type": `${HTML}; charset=utf-8`,
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      ...headers,
    },
    body: page({ ...api, endpoint: `${prefix}/graphql`, assets: `${prefix}/-` }),
  };
}
