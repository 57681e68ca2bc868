import type { RequestMistake, RequestTexts } from "../format.ts";
import { curlOf } from "./curl.ts";
import { highlight } from "./highlight.ts";
import { copyable, panel, TABS } from "./lens-panel.ts";
import { markMistakes } from "./mark-mistakes.ts";
import { html, type Markup } from "./markup.ts";
import type { SentUrl } from "./sent-url.ts";

interface Rejected {
  readonly method: string;
  readonly sent: SentUrl;
  readonly mistakes: readonly RequestMistake[];
  /** The request in each style, or the reason why it can't be printed. */
  readonly texts: RequestTexts | string;
}

/** Shows a rejected request in each style, with its mistakes marked. */
export function rejectedPanel({ method, sent: { url, text }, mistakes, texts }: Rejected): Markup {
  return panel(
    "The rejected request",
    TABS,
    html`<section class="style in-rest" aria-labelledby="as-rest">
<h2 id="as-rest">REST</h2>
${copyable("The request in REST", html`<code>${method} ${text}</code>`)}
</section>
<section class="style in-graphql" aria-labelledby="as-graphql">
<h2 id="as-graphql">GraphQL</h2>
${typeof texts === "string" ? html`<p class="note">Not available: ${texts}</p>` : inGraphql(texts, mistakes)}
</section>
<section class="style in-client" aria-labelledby="as-client">
<h2 id="as-client">TypeScript</h2>
${typeof texts === "string" ? html`<p class="note">Not available: ${texts}</p>` : inTypescript(texts, mistakes)}
</section>
<section class="style in-curl" aria-labelledby="as-curl">
<h2 id="as-curl">curl</h2>
${copyable("The request in curl", html`<code data-curl>${curlOf(url)}</code>`)}
</section>`,
  );
}

function inGraphql(texts: RequestTexts, mistakes: readonly RequestMistake[]): Markup {
  const marked = markMistakes(texts, mistakes);
  if (marked === undefined) {
    return html`<p class="note">Not available: ${"reason" in texts.graphql ? texts.graphql.reason : ""}</p>`;
  }
  const { document, variables, missing } = marked;
  return html`${missing.map(standInNote)}${copyable("The request in GraphQL", html`<code>${document}</code>`)}
${
  variables === undefined
    ? ""
    : html`<p class="note">Variables</p>
${copyable("The variables", html`<code>${variables}</code>`)}`
}`;
}

/** Shows the call with valid names and values, because a call with a mistake doesn't compile. */
function inTypescript({ client }: RequestTexts, mistakes: readonly RequestMistake[]): Markup {
  if ("reason" in client) return html`<p class="note">Not available: ${client.reason}</p>`;
  const replaced = mistakes.filter(({ kind, standIn }) => kind === "parameter" || standIn !== "");
  return html`${replaced.map(standInNote)}${copyable("The request in TypeScript", html`<code>${highlight(client.text)}</code>`)}`;
}

function standInNote({ kind, text, standIn }: RequestMistake): Markup {
  return kind === "parameter"
    ? html`<p class="note">Without <code>${text}</code>, which has no valid form.</p>`
    : html`<p class="note"><code>${standIn}</code> takes the place of <code>${text}</code>.</p>`;
}
