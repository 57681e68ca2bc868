import { hash } from "../../../runtime/crypto.ts";
import type { Model, ResourceModel } from "../../../model/model.ts";
import { DEFAULT_INFO } from "../../openapi/default-info.ts";
import { refusesAnonymous } from "../../openapi/required-scopes.ts";
import type { ApiView } from "../format.ts";
import { PAGE_JS } from "./client-bundle.ts";
import { MARK_ICON } from "./mark-icon.ts";
import { html, type Markup } from "./markup.ts";
import type { PageLook } from "./page-options.ts";
import { type SessionOptions, session } from "./session.ts";
import { toWords } from "./words.ts";

export interface HtmlPage extends SessionOptions {
  readonly api: ApiView;
  readonly model: Model;
  readonly prefix: string;
  readonly look: PageLook;
  readonly title: string;
  /** The plural of the page's collection, or the path of a page for developers. */
  readonly current?: string;
  readonly main: Markup;
  /** The request of the page in each style. */
  readonly lens?: Markup;
}

const JS = `page.js?v=${hash("sha1", PAGE_JS, "hex").slice(0, 10)}`;

/** Writes a whole page around its own content: resources on the left, the request in each style on the right. */
export function layout(page: HtmlPage): string {
  const { api, model, prefix, look, title, current, main, lens } = page;
  const { name = api.title, mark, imageOrigins = [] } = look;
  const links = listedResources(model).map(
    (resource) =>
      html`<li><a href="${prefix}/${resource.path}"${resource.plural === current ? html` aria-current="page"` : ""}>${toWords(resource.plural)}</a>${total(resource, prefix)}</li>`,
  );
  const developerPages = Object.entries({ ...api.developerPages, OpenAPI: "/openapi.json" });
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${describe(page)}">
<title>${title === name ? title : `${title} · ${name}`}</title>
<link rel="icon" href="${mark ?? MARK_ICON}">
<link rel="stylesheet" href="${prefix}/-/${look.css}">
<script src="${prefix}/-/${JS}" defer></script>
</head>
<body${imageOrigins.length === 0 ? "" : html` data-images="${imageOrigins.join(" ")}"`}>
<a class="skip" href="#main">Skip to the content</a>
<header class="rail">
<a class="brand" href="${prefix}/">${mark === undefined ? html`<span class="mark"></span>` : html`<img class="mark" src="${mark}" alt="">`}${name}</a>
<nav aria-labelledby="resources"><p class="head" id="resources">Resources</p><ul>${links}</ul></nav>
<nav aria-labelledby="explore"><p class="head" id="explore">Explore</p><ul>${developerPages.map(([label, path]) => html`<li><a href="${prefix}${path}"${path === current ? html` aria-current="page"` : ""}>${label}</a></li>`)}</ul></nav>
${session(api, page)}
</header>
<main id="main" tabindex="-1">
${main}
</main>
<footer>
<p>${api.title}${api.version === DEFAULT_INFO.version ? "" : ` ${api.version}`}</p>
</footer>
${lens}
</body>
</html>
`["~markup"];
}

/** Describes the page for search engines: its resource, or else the API. */
function describe({ api, model, title, current }: HtmlPage): string {
  const resource = [...model.resources.values()].find(({ plural }) => plural === current);
  const text = resource?.description ?? api.description ?? `${api.title} in REST and GraphQL`;
  return resource === undefined ? text : `${title}: ${text}`;
}

/** The place of the number of rows, which the script counts with the caller's credential. */
function total({ path, visibleFields, access, tenant }: ResourceModel, prefix: string): Markup | string {
  const [field] = visibleFields;
  if (field === undefined) return "";
  const isPersonal = tenant !== undefined || refusesAnonymous(access.read.rule);
  const url = `${prefix}/${path}?count=true&page[size]=1&fields=${field.name}`;
  return html`<span class="total" data-count="${url}"${isPersonal ? html` data-personal` : ""}></span>`;
}

/** Returns the resources whose collection has a page. */
export function listedResources({ resources }: Model): readonly ResourceModel[] {
  return [...resources.values()].filter(({ operations }) => operations.rest.list);
}
