import type { Asset, GraphiqlPage } from "@bifocal/core";
import { FILES, type FileName } from "./files.ts";
import { page } from "./page.ts";
import { readFile } from "./read-file.ts";

/** Nothing from elsewhere and nothing inline but the style attributes that the editor sets (CSP Level 3). */
const POLICY =
  "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export interface GraphiqlOptions {
  /**
   * What stands in the headers editor of whoever opens the page, in development only: where `NODE_ENV` is `production`, the
   * page is sent without. For the key of a demo.
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** The document that a new tab starts with. */
  readonly query?: string;
}

/**
 * GraphiQL at `/graphql`, with all its files from your own server: it works without a network.
 *
 * @example defineApi({ resources, graphql: { graphiql: graphiql() } });
 */
export function graphiql(options: GraphiqlOptions = {}): GraphiqlPage {
  const headers = process.env["NODE_ENV"] === "production" ? undefined : options.headers;
  const assets = Object.entries(FILES).map(([name, contentType]): [string, Asset] => [
    name,
    { contentType, body: () => readFile(name as FileName) },
  ]);
  return {
    page: (view) => page(view, { query: options.query, headers }),
    headers: { "Content-Security-Policy": POLICY, "Referrer-Policy": "no-referrer" },
    assets: Object.fromEntries(assets),
  };
}
