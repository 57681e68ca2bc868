import type { PermissionsOutcome } from "../../../operation/outcome.ts";
import { inputExample } from "../../openapi/examples.ts";
import type { ListView } from "../format.ts";
import { curlToCreate } from "./curl.ts";
import { copyable } from "./lens-panel.ts";
import { html, type Markup } from "./markup.ts";
import { allParameters } from "./url.ts";
import { toWords } from "./words.ts";

/** Explains why a list has no rows. If the caller can create the first one, it shows how. */
export function emptyList(view: ListView, may: PermissionsOutcome | undefined): Markup {
  const { resource, prefix, path } = view;
  const plural = toWords(resource.plural).toLowerCase();
  const isNarrowed = allParameters(view).some(([name]) => /^(filter|q|page)\b/.test(name));
  if (isNarrowed) {
    return html`<div class="none"><p>No ${plural} match.</p><p><a href="${prefix}${path}">Show all ${plural}</a></p></div>`;
  }
  if (may?.create !== true) return html`<div class="none"><p>No ${plural} yet.</p></div>`;
  const left = resource.visibleFields.filter(({ name, required }) => !required || may.unwritable.includes(name));
  const input = inputExample(
    resource,
    "create",
    left.map(({ name }) => name),
  );
  const command = input && html`<code data-curl>${curlToCreate(`${prefix}/${resource.path}`, input)}</code>`;
  return html`<div class="none"><p>No ${plural} yet.</p>
${command === undefined ? "" : html`<p>Create one in the form, or with curl:</p>${copyable("A request that creates a row", command)}`}</div>`;
}
