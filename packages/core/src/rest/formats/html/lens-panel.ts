import { type RequestText, type RequestTexts, type View } from "../format.ts";
import { curlOf } from "./curl.ts";
import { highlight, highlightRequest } from "./highlight.ts";
import { html, type Markup } from "./markup.ts";

export const TABS = { both: "Both", rest: "REST", graphql: "GraphQL", client: "TypeScript", curl: "curl" } as const;

type ResponseKind = "item" | "list" | "groups";
type ShownRequest = Pick<View, "api" | "prefix" | "url" | "requestTexts">;

/** Shows the request of a page in each style, the response as JSON, and the other formats. */
export async function lensPanel(view: ShownRequest, kind: ResponseKind, title?: string): Promise<Markup> {
  return requestPanel(view, await view.requestTexts(), kind, title);
}

/** Shows a request in each style. Tabs are radio buttons. Without a kind of response, it shows only the request. */
export function requestPanel(
  view: Omit<ShownRequest, "requestTexts">,
  texts: RequestTexts | undefined,
  kind?: ResponseKind,
  title = "This request",
): Markup {
  return panel(
    title,
    TABS,
    html`<div class="measures">${texts === undefined ? "" : runButton(view, texts)}<span><span data-duration></span>${texts === undefined ? "" : `Cost ${grouped(texts.cost)} of ${grouped(texts.maxCost)}`}</span></div>
${texts === undefined ? "" : styles(view, texts)}
<section class="style in-curl" aria-labelledby="as-curl">
<h2 id="as-curl">curl</h2>
${copyable("The request in curl", html`<code data-curl>${curlOf(view.url)}</code>`)}
</section>
<div class="runs" aria-live="polite"></div>
${texts === undefined ? "" : explanation(view, texts)}
${kind === undefined ? "" : response(view, kind)}`,
  );
}
/** A panel whose tabs are radio buttons: each shows the sections of its style. */
export function panel(title: string, tabs: Readonly<Record<string, string>>, content: Markup): Markup {
  return html`<aside class="lens" id="lens" aria-label="${title}">
<input type="checkbox" id="lens-open" class="unseen"><label for="lens-open" class="handle">${title} in REST and GraphQL</label>
<div class="body">
<fieldset class="tabs"><legend class="unseen">Style</legend>${Object.entries(tabs).map(
    ([id, name]) =>
      html`<input type="radio" name="lens" id="lens-${id}" class="unseen"${id === "both" ? html` checked` : ""}><label for="lens-${id}">${name}</label>`,
  )}</fieldset>
${content}
</div>
</aside>`;
}

/** Sends the request of the chosen tab. The script shows the responses. */
function runButton({ prefix, url }: Pick<ShownRequest, "prefix" | "url">, { cost, graphql }: RequestTexts): Markup {
  const endpoint = "reason" in graphql ? "" : html` data-graphql="${prefix}/graphql"`;
  return html`<button type="button" class="run" data-run="${url}" data-cost="${grouped(cost)}"${endpoint} data-script hidden>Run</button>`;
}

function response(view: Omit<ShownRequest, "requestTexts">, kind: ResponseKind): Markup {
  return html`<details data-json="${view.url}" data-script hidden><summary>JSON</summary><pre class="json" role="group" tabindex="0" aria-label="The response as JSON"><code></code></pre></details>
${formats(view, kind)}`;
}

/** The place of the SQL and the access rules, which the script loads with the caller's credential. */
function explanation({ api, prefix }: Pick<ShownRequest, "api" | "prefix">, { url }: RequestTexts): Markup | string {
  if (api.explainPath === undefined) return "";
  return html`<details data-explain="${prefix}${api.explainPath}" data-request="${url}" data-script hidden><summary>SQL and access rules</summary>
<pre class="json" role="group" tabindex="0" aria-label="The SQL statements of the request"><code></code></pre>
<pre class="json" role="group" tabindex="0" aria-label="The access rules that decide"><code></code></pre></details>`;
}

function styles(view: Omit<ShownRequest, "requestTexts">, { rest, graphql, client }: RequestTexts): Markup {
  return html`<section class="style in-rest" aria-labelledby="as-rest">
<h2 id="as-rest">REST</h2>
${request("REST", rest, highlightRequest)}
</section>
<section class="style in-graphql" aria-labelledby="as-graphql">
<h2 id="as-graphql">GraphQL</h2>
${request("GraphQL", graphql, highlight)}
${graphiqlLink(view, graphql)}
</section>
<section class="style in-client" aria-labelledby="as-client">
<h2 id="as-client">TypeScript</h2>
${request("TypeScript", client, highlight)}
</section>`;
}

function request(style: string, text: RequestText, write: (code: string) => Markup): Markup {
  if ("reason" in text) return html`<p class="note">Not available: ${text.reason}</p>`;
  const own = copyable(`The request in ${style}`, html`<code>${write(text.text)}</code>`);
  if (text.variables === undefined) return own;
  return html`${own}
<p class="note">Variables</p>
${copyable("The variables", html`<code>${highlight(text.variables)}</code>`)}`;
}

export function copyable(label: string, code: Markup): Markup {
  return html`<div class="copyable">
<pre class="command" role="group" tabindex="0" aria-label="${label}">${code}</pre>
<button type="button" data-copy data-script hidden>Copy</button>
</div>`;
}

/** The document is in the fragment, which browsers don't send. */
function graphiqlLink({ api, prefix }: Pick<ShownRequest, "api" | "prefix">, graphql: RequestText): Markup | string {
  const path = api.developerPages["GraphiQL"];
  if (path === undefined || "reason" in graphql) return "";
  const { text, variables } = graphql;
  const fragment = new URLSearchParams({ query: text, ...(variables === undefined ? {} : { variables }) });
  return html`<p><a href="${prefix}${path}#${fragment.toString()}">Open in GraphiQL</a></p>`;
}

function formats({ api }: Pick<ShownRequest, "api">, kind: ResponseKind): Markup {
  const names = api.formats
    .filter((format) => (kind === "list" ? (format.list ?? format.stream) : format[kind]))
    .filter(({ index }) => index === undefined)
    .map(({ mediaType }, at) => html`${at === 0 ? "" : ", "}<code>${mediaType}</code>`);
  if (names.length === 0) return html``;
  return html`<p class="formats">Other formats: ${names} (set the <code>Accept</code> header).</p>`;
}

function grouped(count: number): string {
  return count.toLocaleString("en");
}
