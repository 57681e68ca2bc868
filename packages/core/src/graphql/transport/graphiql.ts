import type { HttpRequest, HttpResponse, WebPage } from "../../message/message.ts";
import { negotiate } from "./media-type.ts";

/** What a browser shows at `/graphql`: an editor for documents. `@bifocal/graphiql` is one. */
export type GraphiqlPage = WebPage<GraphiqlView>;

export interface GraphiqlView {
  readonly title: string;
  /** Where documents are sent. */
  readonly endpoint: string;
  /** Where the files are, without a slash at the end. */
  readonly assets: string;
  /** The headers that say who calls, those aside that a browser adds by itself. */
  readonly credentials: readonly string[];
}

const HTML = "text/html";

/** Whether somebody opened `/graphql` in a browser: what a program asks by GET has a query. */
export function isPageRequest({ method, query, headers }: HttpRequest): boolean {
  return method === "GET" && query === "" && negotiate(headers["accept"], [HTML]) === HTML;
}

/** Not to be kept: it may have a key in it that is made anew at each start. */
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
