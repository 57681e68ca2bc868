import type { FieldModel } from "../../../model/model.ts";
import { measureValue } from "../../../operation/group.ts";
import type { Json } from "../../../util/json.ts";
import type { GroupsView } from "../format.ts";
import { fieldWords } from "./field-words.ts";
import { formatNumber, formatValue } from "./format-value.ts";
import { readGroupReferences } from "./group-references.ts";
import { layout } from "./layout.ts";
import { pages } from "./list-page.ts";
import { lensPanel } from "./lens-panel.ts";
import { html, type Markup } from "./markup.ts";
import type { PageLook } from "./page-options.ts";
import type { ShowTerm } from "./value.ts";
import { toWords } from "./words.ts";

/** Writes the groups of an aggregate as a table. */
export async function groupsPage(view: GroupsView, look: PageLook): Promise<string> {
  const { api, model, prefix, resource, path, groups, terms, measures, total } = view;
  const title = `${toWords(resource.plural)} in groups`;
  const showTerm = await readGroupReferences(view, resource, groups);
  const termHead = (name: string): string =>
    fieldOf(view, name) === undefined ? headOf(name) : fieldWords(view, name);
  const heads = [
    ...terms.map((name) => html`<th scope="col">${termHead(name)}</th>`),
    ...measures.map((name) => html`<th scope="col" class="number">${headOf(name)}</th>`),
  ];
  const body = groups.map(
    (group) => html`<tr>
${terms.map((name) => html`<td data-label="${termHead(name)}">${term(showTerm, name, group.group[name] ?? null)}</td>`)}
${measures.map((name) => html`<td class="number" data-label="${headOf(name)}">${measure(view, name, measureValue(group, name))}</td>`)}
</tr>`,
  );
  const main = html`<h1>${title}</h1>
<p><a href="${prefix}${path}">Show the rows</a></p>
<p class="count">${groups.length.toLocaleString("en")} of ${total.toLocaleString("en")} groups.</p>
<div class="scroll" role="region" aria-label="${title}" tabindex="0">
<table>
<thead><tr>${heads}</tr></thead>
<tbody>${body}</tbody>
</table>
</div>
${pages(view)}`;
  const lens = await lensPanel(view, "groups");
  const principal = view.principal();
  return layout({ api, model, prefix, look, title, current: resource.plural, main, lens, principal });
}

/** `avg.price` → `Avg price`. */
function headOf(name: string): string {
  const [first = "", second] = name.split(".");
  return second === undefined ? toWords(first) : `${toWords(first)} ${toWords(second).toLowerCase()}`;
}

function term(showTerm: ShowTerm, name: string, value: Json): Markup {
  return showTerm(name, value) ?? plain(value);
}

function measure(view: GroupsView, name: string, value: Json): Markup {
  if (typeof value === "number") return formatNumber(value);
  const field = fieldOf(view, name.split(".")[1] ?? "");
  return field === undefined || value === null ? plain(value) : formatValue(value, field);
}

function fieldOf({ resource }: GroupsView, name: string): FieldModel | undefined {
  return resource.visibleFields.find((field) => field.name === name);
}

function plain(value: Json): Markup {
  if (value === null) return html`<span class="empty" title="no value">–</span>`;
  return html`<bdi>${typeof value === "object" ? JSON.stringify(value) : String(value)}</bdi>`;
}
