import type { RequestMistake, RequestTexts } from "../format.ts";
import { curlOf } from "./curl.ts";
import { copyable, panel } from "./lens-panel.ts";
import { markMistake } from "./mark-mistake.ts";
import { html, type Markup } from "./markup.ts";
import type { SentUrl } from "./sent-url.ts";

const TABS = { both: "Both", rest: "REST", graphql: "GraphQL", curl: "curl" } as const;

/** Shows a rejected request in each style, with its mistake marked. */
export function rejectedPanel(
  method: string,
  { url, text }: SentUrl,
  texts: RequestTexts,
  mistake: RequestMistake,
): Markup {
  return panel(
    "The rejected request",
    TABS,
    html`<section class="style in-rest" aria-labelledby="as-rest">
<h2 id="as-rest">REST</h2>
${copyable("The request in REST", html`<code>${method} ${text}</code>`)}
</section>
<section class="style in-graphql" aria-labelledby="as-graphql">
<h2 id="as-graphql">GraphQL</h2>
${inGraphql(texts, mistake)}
</section>
<section class="style in-curl" aria-labelledby="as-curl">
<h2 id="as-curl">curl</h2>
${copyable("The request in curl", html`<code data-curl>${curlOf(url)}</code>`)}
</section>`,
  );
}

function inGraphql(texts: RequestTexts, mistake: RequestMistake): Markup {
  const marked = markMistake(texts, mistake);
  if (marked === undefined)
    return html`<p class="note">Not available: <code>${mistake.text}</code> has another form in GraphQL.</p>`;
  const { document, variables } = marked;
  return html`${copyable("The request in GraphQL", html`<code>${document}</code>`)}
${
  variables === undefined
    ? ""
    : html`<p class="note">Variables</p>
${copyable("The variables", html`<code>${variables}</code>`)}`
}`;
}
