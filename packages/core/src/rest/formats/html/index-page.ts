import { showDescription } from "./description.ts";
import type { IndexView } from "../format.ts";
import { lensPanel } from "./lens-panel.ts";
import { layout, listedResources } from "./layout.ts";
import { html, type Markup } from "./markup.ts";
import type { PageLook } from "./page-options.ts";
import { toWords } from "./words.ts";

/** Writes the page with the collections of the API, and a first request in each style. */
export async function indexPage(view: IndexView, look: PageLook): Promise<string> {
  const { api, model, prefix } = view;
  const collections = listedResources(model).map(
    ({ plural, path, description }) =>
      html`<li><a href="${prefix}/${path}">${toWords(plural)}</a>${description === undefined ? "" : html`<p>${showDescription(description)}</p>`}</li>`,
  );
  const main = html`<h1>${look.name ?? api.title}</h1>
${api.description === undefined ? "" : html`<p class="lead">${showDescription(api.description)}</p>`}
<ul class="collections">${collections}</ul>`;
  const principal = view.principal();
  return layout({
    api,
    model,
    prefix,
    look,
    title: look.name ?? api.title,
    main,
    principal,
    ...(await firstRequest(view)),
  });
}

async function firstRequest({ api, model, prefix, requestTextsOf }: IndexView): Promise<{ readonly lens?: Markup }> {
  const [first] = listedResources(model);
  if (first === undefined) return {};
  const [path, query] = [`/${first.path}`, "page[size]=3"];
  const requestTexts = () => requestTextsOf(path, query);
  const lens = await lensPanel(
    { api, prefix, url: `${prefix}${path}?${query}`, requestTexts },
    "list",
    "A first request",
  );
  return { lens };
}
