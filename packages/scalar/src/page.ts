import type { ReferenceView } from "@bifocal/core/pages";
import { SCALAR_VERSION } from "./version.ts";

/** The OAuth client of the page. */
export interface OAuthClient {
  readonly clientId: string;
  /** Scopes that are selected initially. */
  readonly scopes?: readonly string[];
}

/** The page to which an authorization server redirects. The page that opened it reads the code from its URL. */
export const REDIRECT_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Signing in</title>
<p>Signing in. This window closes when it is done.</p>
`;

interface Settings {
  readonly mark: string | undefined;
  readonly color: string | undefined;
  readonly client: OAuthClient | undefined;
}

/** The mark of the HTML pages. */
const PILL =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M5 4h3v8H5a4 4 0 010-8z' fill='%230f766e'/%3E%3Cpath d='M8 4h3a4 4 0 010 8H8z' fill='%2386198f'/%3E%3C/svg%3E";

/** Creates the page. Its settings are in data attributes, because inline scripts are not allowed. */
export function page({ title, openapi, assets }: ReferenceView, { mark = PILL, color, client }: Settings): string {
  const data = Object.entries({ url: openapi, color, ...(client === undefined ? {} : signInData(client, assets)) });
  const attributes = data.map(([name, value]) => (value === undefined ? "" : ` data-${name}="${escape(value)}"`));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="The operations of the REST API of ${escape(title)}">
<title>${escape(title)}</title>
<link rel="icon" href="${escape(mark)}">
<link rel="stylesheet" href="${escape(assets)}/scalar.css">
<script src="${escape(assets)}/scalar.js?v=${SCALAR_VERSION}" defer></script>
<script src="${escape(assets)}/scalar-start.js" defer></script>
</head>
<body>
<noscript>This page needs JavaScript. What it shows is at <a href="${escape(openapi)}">${escape(openapi)}</a>.</noscript>
<div id="reference"${attributes.join("")}></div>
</body>
</html>
`;
}

function signInData({ clientId, scopes = [] }: OAuthClient, assets: string): Readonly<Record<string, string>> {
  return { oauth: JSON.stringify({ clientId, scopes }), redirect: `${assets}/oauth2-redirect.html` };
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] as string);
}
