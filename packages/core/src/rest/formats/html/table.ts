import type { ResourceModel } from "../../../model/model.ts";
import { kebabCase } from "../../../util/kebab-case.ts";
import { type ListView, rowUrl } from "../format.ts";
import { html, type Markup } from "./markup.ts";
import { parameterOf, withParameters } from "./url.ts";
import { showField, showRelated } from "./value.ts";
import { toWords } from "./words.ts";

const NUMBERS: ReadonlySet<string> = new Set(["number", "integer", "bigint"]);

/** Writes the rows as a table with sortable headings and links to each row and its relations. */
export function table(view: ListView): Markup {
  const { resource, selection, rows } = view;
  const fields = resource.visibleFields.filter(({ name }) => selection.fields.includes(name));
  const embedded = selection.relations.map(({ relation }) => relation);
  const further = [...resource.relations.keys()].filter((name) => !embedded.includes(name));
  const heads = fields.map(({ name, sortable, type }) =>
    head(view, name, sortable && !view.isNested, NUMBERS.has(type.kind)),
  );
  const body = rows.map(
    (row) => html`<tr>
${fields.map((field) => html`<td${NUMBERS.has(field.type.kind) ? html` class="number"` : ""}>${showField(view, row, field)}</td>`)}
${embedded.map((name) => html`<td>${showRelated(view, row.relations[name])}</td>`)}
<td class="more"><a href="${rowUrl(view, row)}">Open</a>${further.map(
      (name) => html` <a href="${rowUrl(view, row)}/${kebabCase(name)}">${toWords(name)}</a>`,
    )}</td>
</tr>`,
  );
  if (rows.length === 0) return html`<p class="none">No rows.</p>`;
  return html`<div class="scroll" role="region" aria-label="${toWords(resource.plural)}" tabindex="0">
<table>
<thead><tr>${heads}${embedded.map((name) => html`<th scope="col">${toWords(name)}</th>`)}<th scope="col"><span class="unseen">Links</span></th></tr></thead>
<tbody>${body}</tbody>
</table>
</div>`;
}

function head(view: ListView, name: string, isSortable: boolean, isNumber: boolean): Markup {
  const words = toWords(name);
  const kind = isNumber ? html` class="number"` : html``;
  if (!isSortable) return html`<th scope="col"${kind}>${words}</th>`;
  const [first = ""] = (parameterOf(view, "sort") ?? "").split(",");
  const isUp = first === name;
  const isDown = first === `-${name}`;
  const state = isUp ? html` aria-sort="ascending"` : isDown ? html` aria-sort="descending"` : html``;
  const url = withParameters(view, { sort: isUp ? `-${name}` : name });
  return html`<th scope="col"${kind}${state}><a href="${url}">${words}<span aria-hidden="true">${isUp ? " ↑" : isDown ? " ↓" : ""}</span></a></th>`;
}

export function countWords({ rows, total, totalIsExact, resource }: ListView): string {
  const shown = `${rows.length} ${rows.length === 1 ? toWords(resource.name) : toWords(resource.plural)}`.toLowerCase();
  if (total === undefined) return shown;
  return totalIsExact === false
    ? `${shown} of more than ${(total - 1).toLocaleString("en")}`
    : `${shown} of ${total.toLocaleString("en")}`;
}

export function resourceTitle({ plural }: ResourceModel): string {
  return toWords(plural);
}
