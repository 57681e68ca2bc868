import type { FieldModel } from "../../../model/model.ts";
import type { View } from "../format.ts";
import { fieldWords } from "./field-words.ts";
import { html, type Markup } from "./markup.ts";
import { labelFields } from "./value.ts";

/** Shows live changes; the script opens the stream. It needs the names of the fields to show, and the label of a row. */
export function eventPanel(
  view: Pick<View, "model" | "prefix" | "resource">,
  url: string,
  fields: readonly FieldModel[],
): Markup {
  const { prefix, resource } = view;
  const [key, ...others] = resource.key;
  const label = labelFields(resource).find((field) => fields.includes(field))?.name ?? key;
  const words = Object.fromEntries(fields.map(({ name }) => [name, fieldWords(view, name)]));
  const hasPage = resource.operations.rest.get && others.length === 0;
  const data = html` data-fields="${JSON.stringify(words)}" data-key="${key}" data-label="${label}"${hasPage ? html` data-row="${prefix}/${resource.path}/"` : ""}`;
  return html`<section class="events" data-script data-events="${url}"${data} aria-labelledby="events" hidden>
<h2 id="events">Live changes</h2>
<button type="button" aria-pressed="false">Start</button> <span class="state" role="status"></span>
<ol aria-live="polite" aria-label="Changes"></ol>
</section>`;
}
