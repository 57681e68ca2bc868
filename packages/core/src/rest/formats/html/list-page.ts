import { showDescription } from "./description.ts";
import type { ActionModel, ResourceModel } from "../../../model/model.ts";
import type { PermissionsOutcome } from "../../../operation/outcome.ts";
import { kebabCase } from "../../../util/kebab-case.ts";
import type { ListView } from "../format.ts";
import { filterChips } from "./filter-chips.ts";
import { filterMenu } from "./filter-menu.ts";
import { searchForm } from "./search-form.ts";
import { columnsLink, columnsOf } from "./columns.ts";
import { emptyList } from "./empty-list.ts";
import { eventPanel } from "./event-panel.ts";
import { layout } from "./layout.ts";
import { lensPanel } from "./lens-panel.ts";
import { html, type Markup } from "./markup.ts";
import type { PageLook } from "./page-options.ts";
import { queryLinks } from "./query-links.ts";
import { countWords, resourceTitle, table } from "./table.ts";
import { columnsMenu, includeMenu } from "./toggle-menus.ts";
import { withParameters } from "./url.ts";
import { toWords } from "./words.ts";
import { newLinkInputs } from "./link-inputs.ts";
import { fieldInputs, type FormSite, memberInputs, writeForm } from "./write-form.ts";

/** Writes the page of a collection or a relation: a table with the available operations. */
export async function listPage(view: ListView, look: PageLook): Promise<string> {
  const { api, model, prefix, resource, isNested, path } = view;
  const title = isNested ? toWords(path.split("/").at(-1) ?? resource.plural) : resourceTitle(resource);
  const may = isNested ? undefined : await view.may();
  const main = html`<div class="title"><h1>${title}</h1><div class="actions">${columnsMenu(view)}${includeMenu(view)}${exportButton(view)}${may?.actions.map(actionLink)}${may?.create === true ? newButton(resource) : ""}</div></div>
${isNested ? backLink(view) : ""}
${resource.description === undefined ? "" : html`<p class="lead">${showDescription(resource.description)}</p>`}
${resource.deprecated === undefined ? "" : html`<p class="warning">Deprecated: ${resource.deprecated}</p>`}
${searchForm(view)}
<div class="tools">${filterChips(view)}${filterMenu(view)}</div>
${view.rows.length === 0 ? "" : html`<p class="count">${countWords(view)}. ${countLink(view)}${columnsLink(view)}</p>`}
${view.rows.length === 0 ? emptyList(view, may) : await table(view)}
${pages(view)}
${isNested ? "" : queryLinks(resource, "collection", `${prefix}/${resource.path}`)}
${may === undefined ? "" : forms(view, may)}
${isNested || !resource.operations.rest.watch ? "" : eventPanel(view, followed(view), columnsOf(view))}`;
  const lens = await lensPanel(view, "list");
  const principal = view.principal();
  return layout({ api, model, prefix, look, title, current: resource.plural, main, lens, principal });
}

/** Links to a count, and to an exact one where the resource allows it. */
function countLink(view: ListView): Markup | string {
  const { total, totalIsExact, resource } = view;
  if (total === undefined) return html`<a href="${withParameters(view, { count: "true" })}">Count all</a>`;
  if (totalIsExact !== false || !resource.exactCount) return "";
  return html`<a href="${withParameters(view, { count: "exact" })}">Count exactly</a>`;
}

/** Links to the row whose relation or query the page shows, or to the collection, if it has a page. */
function backLink({ model, prefix, path }: ListView): Markup {
  const [, segment, ...others] = path.split("/");
  const owner = [...model.resources.values()].find((one) => one.path === segment);
  const isRow = others.length > 1;
  if (owner === undefined || !owner.operations.rest[isRow ? "get" : "list"]) return html``;
  const url = prefix + path.slice(0, path.lastIndexOf("/"));
  return html`<p><a href="${url}">Back to the ${toWords(isRow ? owner.name : owner.plural).toLowerCase()}</a></p>`;
}

/** Returns the URL of the list's event stream. It only has the parameters that select rows and their contents. */
function followed({ prefix, path, query }: ListView): string {
  const kept = query
    .split("&")
    .filter((part) => /^(filter|fields|include|rel)(=|\[|%5B)/i.test(part) && !part.endsWith("="));
  return `${prefix}${path}${kept.length === 0 ? "" : `?${kept.join("&")}`}`;
}

/** Links to the neighbors of a page. */
export function pages({ links }: Pick<ListView, "links">): Markup {
  const { first, prev, next } = links;
  if (prev === undefined && next === undefined) return html``;
  return html`<nav class="pages" aria-label="Pages"><ul>
${prev === undefined ? "" : html`<li><a href="${first}">First</a></li><li><a href="${prev}" rel="prev">Previous</a></li>`}
${next === undefined ? "" : html`<li><a href="${next}" rel="next">Next</a></li>`}
</ul></nav>`;
}

/** Downloads the whole list with its filter and its order. Only a script can ask for CSV. */
function exportButton(view: ListView): Markup | string {
  const { api, path, rows } = view;
  if (rows.length === 0 || !api.formats.some(({ mediaType, stream }) => mediaType === "text/csv" && stream)) return "";
  const url = withParameters(view, { count: "", "page[size]": "" });
  return html`<a class="button plain" href="${url}" data-csv="${path.slice(1).replaceAll("/", "-")}.csv" data-script hidden>Export CSV</a>`;
}

/** Opens the form to create a row. */
function newButton(resource: ResourceModel): Markup {
  return html`<a class="button" href="#create" data-script hidden>New ${toWords(resource.name).toLowerCase()}</a>`;
}

function forms(view: ListView, { create, actions, unwritable }: PermissionsOutcome): Markup {
  const { prefix, resource } = view;
  const base = `${prefix}/${resource.path}`;
  const label = `New ${toWords(resource.name).toLowerCase()}`;
  const done = `${toWords(resource.name)} created`;
  const fields = [...fieldInputs(view, "create", unwritable), ...newLinkInputs(view)];
  return html`${create ? writeForm({ id: "create", label, button: "Create", method: "POST", url: base, fields, done }) : ""}
${actions.map((name) => actionForm(view, resource.actions.get(name) as ActionModel, base))}`;
}

/** Opens the form of an action. Browsers open the `details` around the target of a link. */
export function actionLink(name: string): Markup {
  return html`<a class="button plain" href="#${actionId(name)}" data-script hidden>${toWords(name)}</a>`;
}

function actionId(name: string): string {
  return `action-${kebabCase(name)}`;
}

export function actionForm(site: FormSite, action: ActionModel, base: string): Markup {
  const id = actionId(action.name);
  const fields = action.input === undefined ? [] : memberInputs(site, id, action.input.type);
  const label = toWords(action.name);
  const { description } = action;
  return writeForm({
    id,
    label,
    description,
    button: label,
    method: "POST",
    url: `${base}/${kebabCase(action.name)}`,
    fields,
    done: `${label}: done`,
    isAnswered: action.output !== undefined,
  });
}
