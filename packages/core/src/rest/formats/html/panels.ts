import type { Json } from "../../../util/json.ts";
import type { View } from "../format.ts";
import { html, type Markup } from "./markup.ts";

/** Shows the request as a curl command, which the script completes with the host, and the response as JSON. */
export function requestPanels(view: View, json: Json, kind: "item" | "list"): Markup {
  const formats = view.api.formats.filter((format) => (kind === "item" ? format.item : (format.list ?? format.stream)));
  return html`<section aria-labelledby="request">
<h2 id="request">This page as data</h2>
<pre class="command" tabindex="0" aria-label="The request as curl"><code data-curl>${curl(view.url)}</code></pre>
<details><summary>JSON</summary><pre class="json" tabindex="0" aria-label="The response as JSON"><code>${JSON.stringify(json, null, 2)}</code></pre></details>
<p class="formats">Other formats: ${formats.filter(({ index }) => index === undefined).map(({ mediaType }, at) => html`${at === 0 ? "" : ", "}<code>${mediaType}</code>`)} (set the <code>Accept</code> header).</p>
</section>`;
}

/** Inside single quotes, a shell only interprets single quotes. */
function curl(url: string): string {
  return `curl -g -H 'Accept: application/json' '${url.replaceAll("'", "%27")}'`;
}

/** Shows live changes; the script opens the stream. */
export function eventPanel(url: string): Markup {
  return html`<section class="events" data-script data-events="${url}" aria-labelledby="events" hidden>
<h2 id="events">Live changes</h2>
<button type="button" aria-pressed="false">Start</button> <span class="state" role="status"></span>
<ol aria-live="polite" aria-label="Changes"></ol>
</section>`;
}
