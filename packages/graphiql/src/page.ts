import { type GraphiqlView, MARK_ICON } from "@bifocal/core/pages";

interface Prefilled {
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly query: string | undefined;
}

/** Creates the page. Its settings are in data attributes, because inline scripts are not allowed. */
export function page({ title, endpoint, assets, credentials }: GraphiqlView, { headers, query }: Prefilled): string {
  const data = {
    endpoint,
    query,
    headers: headers === undefined ? hintOf(credentials) : JSON.stringify(headers, null, 2),
    open: headers === undefined ? undefined : "headers",
  };
  const attributes = Object.entries(data).map(([name, value]) =>
    value === undefined ? "" : ` data-${name}="${escape(value)}"`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="GraphiQL, an editor for the GraphQL API of ${escape(title)}">
<title>${escape(title)}: GraphiQL</title>
<link rel="icon" href="${MARK_ICON}">
<link rel="stylesheet" href="${escape(assets)}/graphiql.css">
<script type="module" src="${escape(assets)}/graphiql.js"></script>
</head>
<body>
<noscript>This page needs JavaScript. GraphQL is at <code>${escape(endpoint)}</code>, by POST.</noscript>
<main id="graphiql"${attributes.join("")}></main>
</body>
</html>
`;
}

/** Returns a template for credentials, as comments, which the editor does not send. */
function hintOf(credentials: readonly string[]): string | undefined {
  if (credentials.length === 0) return undefined;
  const lines = credentials.map((name) => `  // "${name}": "${name === "Authorization" ? "Bearer …" : "…"}"`);
  return ["{", ...lines, "}"].join("\n");
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
