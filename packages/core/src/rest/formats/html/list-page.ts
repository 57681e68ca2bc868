import type { ActionModel } from "../../../model/model.ts";
import { kebabCase } from "../../../util/kebab-case.ts";
import { type ListView, rowToJson } from "../format.ts";
import { filterForm } from "./filter-form.ts";
import { layout } from "./layout.ts";
import { html, type Markup } from "./markup.ts";
import { eventPanel, requestPanels } from "./panels.ts";
import { countWords, resourceTitle, table } from "./table.ts";
import { withParameters } from "./url.ts";
import { toWords } from "./words.ts";
import { fieldInputs, memberInputs, writeForm } from "./write-form.ts";

/** Writes the page of a collection or a relation: a table with the available operations. */
export async function listPage(view: ListView): Promise<string> {
  const { api, model, prefix, resource, isNested, path } = view;
  const title = isNested ? toWords(path.split("/").at(-1) ?? resource.plural) : resourceTitle(resource);
  const main = html`<h1>${title}</h1>
${isNested ? html`<p><a href="${prefix}${path.split("/").slice(0, -1).join("/")}">Back to the ${toWords(ownerName(view)).toLowerCase()}</a></p>` : ""}
${resource.description === undefined ? "" : html`<p class="lead">${resource.description}</p>`}
${resource.deprecated === undefined ? "" : html`<p class="warning">Deprecated: ${resource.deprecated}</p>`}
${filterForm(view)}
<p class="count">${countWords(view)}. ${countLink(view)}</p>
${table(view)}
${pages(view)}
${isNested ? "" : await forms(view)}
${isNested ? "" : eventPanel(followed(view))}
${requestPanels(view, view.rows.map(rowToJson), "list")}`;
  return layout({ api, model, prefix, title, current: resource.plural, main });
}

/** Links to a count, and to an exact one where the resource allows it. */
function countLink(view: ListView): Markup | string {
  const { total, totalIsExact, resource } = view;
  if (total === undefined) return html`<a href="${withParameters(view, { count: "true" })}">Count all</a>`;
  if (totalIsExact !== false || !resource.exactCount) return "";
  return html`<a href="${withParameters(view, { count: "exact" })}">Count exactly</a>`;
}

function ownerName({ model, path }: ListView): string {
  const [, segment] = path.split("/");
  return [...model.resources.values()].find((one) => one.path === segment)?.name ?? "row";
}

/** Returns the URL of the list's event stream. It only has the parameters that select rows and their contents. */
function followed({ prefix, path, query }: ListView): string {
  const kept = query
    .split("&")
    .filter((part) => /^(filter|fields|include|rel)(=|\[|%5B)/i.test(part) && !part.endsWith("="));
  return `${prefix}${path}${kept.length === 0 ? "" : `?${kept.join("&")}`}`;
}

function pages({ links }: ListView): Markup {
  const { first, prev, next } = links;
  if (prev === undefined && next === undefined) return html``;
  return html`<nav class="pages" aria-label="Pages"><ul>
${prev === undefined ? "" : html`<li><a href="${first}">First</a></li><li><a href="${prev}" rel="prev">Previous</a></li>`}
${next === undefined ? "" : html`<li><a href="${next}" rel="next">Next</a></li>`}
</ul></nav>`;
}

async function forms(view: ListView): Promise<Markup> {
  const { prefix, resource } = view;
  const { create, actions, unwritable } = await view.may();
  const base = `${prefix}/${resource.path}`;
  const label = `New ${toWords(resource.name).toLowerCase()}`;
  const fields = fieldInputs("create", resource, "create", unwritable);
  return html`${create ? writeForm({ id: "create", label, button: "Create", method: "POST", url: base, fields }) : ""}
${actions.map((name) => actionForm(resource.actions.get(name) as ActionModel, base))}`;
}

export function actionForm(action: ActionModel, base: string): Markup {
  const id = `action-${kebabCase(action.name)}`;
  const fields = action.input === undefined ? [] : memberInputs(id, action.input.type);
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
    isAnswered: action.output !== undefined,
  });
}
