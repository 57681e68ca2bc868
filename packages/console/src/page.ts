import { type ConsoleView, MARK_ICON } from "@bifocal/core/pages";

/** Creates the page. Its settings are in data attributes, because inline scripts are not allowed. */
export function page({ title, prefix, assets, credentialHeaders, explains }: ConsoleView): string {
  const [name, base, files] = [title, prefix, assets].map(escape);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="Requests to ${name} in REST, GraphQL and TypeScript side by side">
<title>${name}: Console</title>
<link rel="icon" href="${MARK_ICON}">
<link rel="stylesheet" href="${files}/console.css">
<script src="${files}/console.js" defer></script>
</head>
<body data-prefix="${base}" data-explains="${String(explains)}">
<header>
<h1><a href="${base}/"><span class="mark"></span>${name}</a> Console</h1>
${session(credentialHeaders)}
</header>
<noscript><p>This page needs JavaScript. The resources are at <a href="${base}/">${base}/</a>.</p></noscript>
<main>
<form id="builder" aria-label="Build a list">
<label>Resource <select name="resource"></select></label>
<label>Search <input name="q" autocomplete="off"></label>
<label>Sort by <input name="sort" autocomplete="off" placeholder="default"></label>
<label>Fields <input name="fields" autocomplete="off" placeholder="all"></label>
<label>Include <input name="include" autocomplete="off" placeholder="none"></label>
<label>Page size <input name="page[size]" type="number" min="1" value="5"></label>
<label>After <input name="page[after]" autocomplete="off" placeholder="cursor"></label>
<label>Offset <input name="page[offset]" type="number" min="0"></label>
<label class="check"><input name="count" type="checkbox"> Count</label>
<div id="conditions"></div>
<button type="button" id="add-condition">Add filter</button>
<button>Build</button>
<div id="completions"></div>
</form>
<div class="bar">
<button type="button" id="run">Run</button>
<button type="button" id="watch" aria-pressed="false">Watch</button>
<span id="cost"></span>
<p id="message" role="status"></p>
</div>
<div class="styles">
<section class="rest" aria-labelledby="rest-title">
<div class="title"><h2 id="rest-title">REST</h2>${copyButton("rest", "Copy REST")}</div>
<textarea id="rest" aria-labelledby="rest-title" rows="9" spellcheck="false"></textarea>
<h3>Response <span id="rest-time"></span></h3>
<pre id="rest-response" role="group" tabindex="0" aria-label="The response of REST"></pre>
</section>
<section class="graphql" aria-labelledby="graphql-title">
<div class="title"><h2 id="graphql-title">GraphQL</h2>${copyButton("graphql", "Copy GraphQL")}</div>
<textarea id="graphql" aria-labelledby="graphql-title" rows="9" spellcheck="false"></textarea>
<label>Variables <textarea id="variables" rows="3" spellcheck="false"></textarea></label>
<h3>Response <span id="graphql-time"></span></h3>
<pre id="graphql-response" role="group" tabindex="0" aria-label="The response of GraphQL"></pre>
</section>
<section class="behind" aria-labelledby="client-title">
<div class="title"><h2 id="client-title">TypeScript</h2>${copyButton("client", "Copy TypeScript")}</div>
<pre id="client" role="group" tabindex="0" aria-label="The call in TypeScript"></pre>
<div class="title"><h2 id="curl-title">curl</h2>${copyButton("curl", "Copy curl")}</div>
<pre id="curl" role="group" tabindex="0" aria-label="The request in curl"></pre>
<div id="events-part" hidden><h2>Changes</h2><pre id="events" role="group" tabindex="0" aria-label="The changes"></pre></div>
<div id="sql-part" hidden><h2>SQL</h2><pre id="sql" role="group" tabindex="0" aria-label="The SQL statements"></pre></div>
<div id="access-part" hidden><h2>Access</h2><pre id="access" role="group" tabindex="0" aria-label="The access rules that decide"></pre></div>
</section>
</div>
</main>
</body>
</html>
`;
}

/** Shows who is signed in, with a form for the credentials that the API takes in a header. */
function session(headers: readonly string[]): string {
  if (headers.length === 0)
    return `<p class="session" id="session"><span id="caller"></span> <span id="sign-in-error"></span></p>`;
  const options = headers.map((header) => `<option>${escape(header)}</option>`).join("");
  return `<details class="session" id="session">
<summary id="caller">Sign in</summary>
<form id="sign-in">
<label>Header <select name="header">${options}</select></label>
<label>Credential <input name="value" type="password" autocomplete="off" required></label>
<button>Sign in</button> <button type="reset">Sign out</button>
<p id="sign-in-error" role="alert"></p>
<p class="note">The credential is kept in this tab until you close it.</p>
</form>
</details>`;
}

function copyButton(id: string, label: string): string {
  return `<button type="button" class="copy" data-copy="${id}" aria-label="${label}">Copy</button>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
