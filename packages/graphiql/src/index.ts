import { checkCallOptions } from "@bifocal/core/internal";
import { type Asset, type GraphiqlPage, isProduction } from "@bifocal/core/pages";
import { FILES, type FileName } from "./files.ts";
import { page } from "./page.ts";
import { readFile } from "./read-file.ts";

/**
 * Allows only the API's own files, and no inline code except the style attributes that the editor sets (CSP Level 3).
 */
const POLICY =
  "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export interface GraphiqlOptions {
  /** Initial content of the headers editor, for example the key of a demo. Ignored if `NODE_ENV` is `production` or can't be read. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The document in a new tab. */
  readonly query?: string;
}

/**
 * Serves GraphiQL at `/graphql`, with all its files from your own server, so that it works without internet access.
 *
 * @example defineApi({ resources, graphql: { graphiql: graphiql() } });
 */
export function graphiql(options: GraphiqlOptions = {}): GraphiqlPage {
  checkCallOptions("graphiql", options, { headers: "an object", query: "a string" });
  const headers = isProduction() ? undefined : options.headers;
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
