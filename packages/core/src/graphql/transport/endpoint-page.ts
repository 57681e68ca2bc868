import type { GraphiqlPage } from "./graphiql.ts";

/** The page that browsers get at `/graphql` if the API has no GraphiQL. */
export const endpointPage: GraphiqlPage = {
  page: ({ title, endpoint, assets }) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}: GraphQL</title>
<link rel="icon" href="data:,">
</head>
<body>
<main>
<h1>GraphQL of ${escape(title)}</h1>
<p>Send documents to this URL by POST:</p>
<pre><code>POST ${escape(endpoint)}
Content-Type: application/json

{ "query": "{ __typename }" }</code></pre>
<p><a href="${escape(endpoint)}?query=%7B__typename%7D">Send it by GET</a></p>
<p><a href="${escape(assets.slice(0, -1))}">All resources</a></p>
<p>For an editor in the browser, set <code>graphql.graphiql</code> to <code>graphiql()</code> of <code>@bifocal/graphiql</code>.</p>
</main>
</body>
</html>
`,
  headers: {
    "Content-Security-Policy":
      "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "same-origin",
  },
  assets: {},
};

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
