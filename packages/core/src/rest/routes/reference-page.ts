import { html } from "../formats/html/markup.ts";
import type { ReferenceView } from "./reference.ts";

/** The OAuth client of a reference page. */
export interface OAuthClient {
  readonly clientId: string;
  /** Scopes that are selected initially. */
  readonly scopes?: readonly string[];
}

export interface ReferenceParts {
  /** The URL of the page's icon. */
  readonly icon: string;
  /** File names below the URL of the page's files. */
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
  /** Data attributes of the element with the id `reference`, in addition to `data-url`. Undefined ones are left out. */
  readonly data?: Readonly<Record<string, string | undefined>>;
  /** Adds `data-oauth` and `data-redirect`, if users can sign in on the page. */
  readonly client: OAuthClient | undefined;
}

/** Writes a reference page. Its settings are in data attributes, because inline scripts are not allowed. */
export function writeReferencePage({ title, openapi, assets }: ReferenceView, parts: ReferenceParts): string {
  const { icon, styles, scripts, data, client } = parts;
  const settings = { url: openapi, ...data, ...(client === undefined ? {} : signInData(client, assets)) };
  const attributes = Object.entries(settings).map(([name, value]) =>
    value === undefined ? "" : html` data-${name}="${value}"`,
  );
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="The operations of the REST API of ${title}">
<title>${title}</title>
<link rel="icon" href="${icon}">
${styles.map((file) => html`<link rel="stylesheet" href="${assets}/${file}">`)}
${scripts.map((file) => html`<script src="${assets}/${file}" defer></script>`)}
</head>
<body>
<noscript>This page needs JavaScript. What it shows is at <a href="${openapi}">${openapi}</a>.</noscript>
<div id="reference"${attributes}></div>
</body>
</html>
`["~markup"];
}

function signInData({ clientId, scopes = [] }: OAuthClient, assets: string): Readonly<Record<string, string>> {
  return { oauth: JSON.stringify({ clientId, scopes }), redirect: `${assets}/oauth2-redirect.html` };
}

/**
 * Returns headers that allow only the API's own files and no inline scripts (CSP Level 3). Reference pages set inline
 * styles, so these are allowed. `server` is the origin from which the page may request tokens.
 */
export function referenceHeaders(server: string | undefined): Readonly<Record<string, string>> {
  const hosts = ["'self'", ...(server === undefined ? [] : [new URL(server).origin])].join(" ");
  return {
    "Content-Security-Policy": `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src ${hosts}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    "Referrer-Policy": "same-origin",
  };
}
