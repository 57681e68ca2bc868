import type { readDefinition } from "./definition.ts";

/** The responses of both styles, whose rows are beside each other. */
export function renderResponses(): string {
  return `<section class="responses" aria-labelledby="responses-title">
<div class="head"><h2 id="responses-title">Responses</h2><p id="equal" role="status"></p></div>
<div class="pair">
<div class="rest"><h3>REST</h3><pre id="rest-response" role="group" tabindex="0" aria-label="Response of REST"></pre></div>
<div class="graphql"><h3>GraphQL</h3><pre id="graphql-response" role="group" tabindex="0" aria-label="Response of GraphQL"></pre></div>
</div>
</section>`;
}

/** What the server did for the request. */
export function renderBehind(): string {
  const parts = [
    ["sql", "SQL", "The statements of the read"],
    ["access", "Access", "The access rules that decide"],
    ["client", "TypeScript", "The call in TypeScript"],
    ["curl", "curl", "The commands for a shell"],
  ] as const;
  return `<section class="behind" aria-labelledby="behind-title">
<div class="head"><h2 id="behind-title">Behind it</h2>
<div class="tabs" role="tablist" aria-labelledby="behind-title">${parts
    .map(
      ([id, title], at) =>
        `<button type="button" role="tab" id="${id}-tab" aria-controls="${id}" aria-selected="${at === 0}"${at === 0 ? "" : ' tabindex="-1"'}>${title}</button>`,
    )
    .join("")}</div></div>
${parts
  .map(
    ([id, , label], at) =>
      `<div role="tabpanel" id="${id}" aria-labelledby="${id}-tab"${at === 0 ? "" : " hidden"}><pre role="group" tabindex="0" aria-label="${label}"></pre></div>`,
  )
  .join("\n")}
</section>`;
}

export function renderNotes(): string {
  return `<section class="notes" aria-labelledby="notes-title">
<div class="head"><h2 id="notes-title">Notes, live</h2><p class="live" id="live" role="status"></p></div>
<form id="write">
<label>City <select name="cityId" required></select></label>
<label>Name <input name="by" maxlength="40" required autocomplete="nickname" value="A visitor"></label>
<label class="wide">Note <input name="text" maxlength="280" required autocomplete="off" placeholder="What should others know about it?"></label>
<button>Write</button>
</form>
<p class="hint">Click the map to choose another city. Visitors and editors can write.</p>
<ol id="notes" tabindex="0" aria-label="Notes, the newest first"></ol>
</section>`;
}

export function renderDefinition({ lines, files }: ReturnType<typeof readDefinition>): string {
  return `<section class="definition" aria-labelledby="definition-title">
<div class="head"><h2 id="definition-title">The whole definition: ${lines} lines</h2></div>
<p>These three files define every route, GraphQL field, rule, filter and event on this page. The schema has three mutations, because only notes can be written.</p>
<div class="files">${files
    .map(
      ({ name, html }) =>
        `<figure><figcaption>${name}</figcaption><pre role="group" tabindex="0" aria-label="${name}"><code>${html}</code></pre></figure>`,
    )
    .join("")}</div>
</section>`;
}
