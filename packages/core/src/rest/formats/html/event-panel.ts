import { html, type Markup } from "./markup.ts";

/** Shows live changes; the script opens the stream. */
export function eventPanel(url: string): Markup {
  return html`<section class="events" data-script data-events="${url}" aria-labelledby="events" hidden>
<h2 id="events">Live changes</h2>
<button type="button" aria-pressed="false">Start</button> <span class="state" role="status"></span>
<ol aria-live="polite" aria-label="Changes"></ol>
</section>`;
}
