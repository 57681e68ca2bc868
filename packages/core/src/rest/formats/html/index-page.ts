import type { IndexView } from "../format.ts";
import { layout } from "./layout.ts";
import { html } from "./markup.ts";
import { toWords } from "./words.ts";

/** Writes the page with the collections of the API. */
export function indexPage({ api, model, prefix }: IndexView): string {
  const collections = [...model.resources.values()].map(
    ({ plural, path, description }) =>
      html`<li><a href="${prefix}/${path}">${toWords(plural)}</a>${description === undefined ? "" : html`<p>${description}</p>`}</li>`,
  );
  const main = html`<h1>${api.title}</h1>
${api.description === undefined ? "" : html`<p class="lead">${api.description}</p>`}
<ul class="collections">${collections}</ul>`;
  return layout({ api, model, prefix, title: api.title, main });
}
