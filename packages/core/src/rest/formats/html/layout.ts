import { hash } from "node:crypto";
import type { Model } from "../../../model/model.ts";
import type { ApiView } from "../format.ts";
import { PAGE_CSS, PAGE_JS } from "./client-bundle.ts";
import { html, type Markup } from "./markup.ts";
import { toWords } from "./words.ts";

export interface HtmlPage {
  readonly api: ApiView;
  readonly model: Model;
  readonly prefix: string;
  readonly title: string;
  /** The plural of the page's collection. */
  readonly current?: string;
  readonly main: Markup;
}

const version = (text: string): string => hash("sha1", text, "hex").slice(0, 10);
const CSS = `page.css?v=${version(PAGE_CSS)}`;
const JS = `page.js?v=${version(PAGE_JS)}`;

/** Writes a whole page around its own content. */
export function layout({ api, model, prefix, title, current, main }: HtmlPage): string {
  const links = [...model.resources.values()].map(
    ({ plural, path }) =>
      html`<li><a href="${prefix}/${path}"${plural === current ? html` aria-current="page"` : ""}>${toWords(plural)}</a></li>`,
  );
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === api.title ? title : `${title} · ${api.title}`}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${prefix}/-/${CSS}">
<script src="${prefix}/-/${JS}" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="${prefix}/">${api.title}</a>
<nav aria-label="Collections"><ul>${links}</ul></nav>
</header>
<main id="main" tabindex="-1">
${main}
</main>
<footer>
${credentialForm(api)}
<p><a href="${prefix}/openapi.json">OpenAPI</a> ${api.title} ${api.version}</p>
</footer>
</body>
</html>
`["~markup"];
}

/** Returns the form for a credential, which the script stores in the tab and sends with each request. */
function credentialForm({ schemes }: ApiView): Markup {
  const options = Object.values(schemes).flatMap((scheme) => {
    if (scheme["type"] === "apiKey" && scheme["in"] === "header") return [String(scheme["name"])];
    const isToken = scheme["type"] === "oauth2" || scheme["type"] === "openIdConnect";
    return isToken || scheme["scheme"] === "bearer" ? ["Authorization: Bearer"] : [];
  });
  if (options.length === 0) return html``;
  return html`<details class="credential" data-script hidden>
<summary>Credential</summary>
<form id="credential">
<label>Header <select name="header">${[...new Set(options)].map((option) => html`<option>${option}</option>`)}</select></label>
<label>Value <input name="value" type="password" autocomplete="off"></label>
<button>Use</button> <button type="reset">Forget</button>
<p class="note">The credential is kept in this tab until you close it.</p>
</form>
</details>`;
}
