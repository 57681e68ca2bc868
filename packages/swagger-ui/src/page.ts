import type { ReferenceView } from "@bifocal/core/pages";

/** The OAuth client of the page. */
export interface OAuthClient {
  readonly clientId: string;
  /** Scopes that are selected initially. */
  readonly scopes?: readonly string[];
}

/** Creates the page. Its settings are in data attributes, because inline scripts are not allowed. */
export function page({ title, openapi, assets }: ReferenceView, client?: OAuthClient): string {
  const signIn = client === undefined ? "" : signInData(client, assets);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="The operations of the REST API of ${escape(title)}">
<title>${escape(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${escape(assets)}/swagger-ui.css">
<script src="${escape(assets)}/swagger-ui.js" defer></script>
<script src="${escape(assets)}/swagger-start.js" defer></script>
</head>
<body>
<noscript>This page needs JavaScript. What it shows is at <a href="${escape(openapi)}">${escape(openapi)}</a>.</noscript>
<div id="reference" data-url="${escape(openapi)}"${signIn}></div>
</body>
</html>
`;
}

function signInData({ clientId, scopes = [] }: OAuthClient, assets: string): string {
  const settings = escape(JSON.stringify({ clientId, scopes }));
  return ` data-oauth="${settings}" data-redirect="${escape(assets)}/oauth2-redirect.html"`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] as string);
}
