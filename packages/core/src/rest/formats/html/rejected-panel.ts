import type { RequestMistake, RequestTexts } from "../format.ts";
import { curlOf } from "./curl.ts";
import { copyable, panel } from "./lens-panel.ts";
import { markMistakes } from "./mark-mistakes.ts";
import { html, type Markup } from "./markup.ts";
import type { SentUrl } from "./sent-url.ts";

const TABS = { both: "Both", rest: "REST", graphql: "GraphQL", curl: "curl" } as const;

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
  const notes = missing.map(({ kind, text, standIn }) =>
    kind === "parameter"
      ? html`<p class="note">Without <code>${text}</code>, which has no valid form.</p>`
      : html`<p class="note"><code>${standIn}</code> takes the place of <code>${text}</code>.</p>`,
  );
  return html`${notes}${copyable("The request in GraphQL", html`<code>${document}</code>`)}
${
  variables === undefined
    ? ""
    : html`<p class="note">Variables</p>
${copyable("The variables", html`<code>${variables}</code>`)}`
}`;
}
