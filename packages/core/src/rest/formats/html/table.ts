import type { FieldModel, RelationModel, ResourceModel } from "../../../model/model.ts";
import { offeredRelations } from "../../../model/offered.ts";
import { kebabCase } from "../../../util/kebab-case.ts";
import { type ListView, type RowView, rowUrl } from "../format.ts";
import { columnsOf, labelColumn } from "./columns.ts";
import { fieldWords } from "./field-words.ts";
import { readRelationReferences } from "./group-references.ts";
import { html, type Markup } from "./markup.ts";
import { referenceIn } from "./reference-labels.ts";
import { parameterOf, withParameters } from "./url.ts";
import { showField, showGroups, showRelated } from "./value.ts";
import { toWords } from "./words.ts";

const NUMBERS: ReadonlySet<string> = new Set(["number", "integer", "bigint", "decimal"]);

/** Writes the rows as a table with sortable headings and links to each row and its relations. */
export async function table(view: ListView): Promise<Markup> {
  const { resource, selection, rows } = view;
  const fields = columnsOf(view);
  const label = labelColumn(view);
  const embedded = selection.relations.flatMap(({ relation, aggregation }) => (aggregation ? [] : [relation]));
  const grouped = selection.relations.flatMap(({ relation, aggregation }) => (aggregation ? [relation] : []));
  const hasPage = resource.operations.rest.get;
  const isLabelled = hasPage && label !== undefined && fields.includes(label);
  // The page of a row links to its relations.
  const further = hasPage ? [] : offeredRelations(view.model, resource).filter(({ name }) => !embedded.includes(name));
  const hasLinks = !isLabelled && (hasPage || further.length > 0);
  const references = await readRelationReferences(view, rows);
  const heads = fields.map(({ name, sortable, type }) =>
    head(view, name, sortable && !view.isNested, isNumeric(view, name, type.kind)),
  );
  const body = rows.map(
    (row) => html`<tr>
${fields.map((field) => html`<td data-label="${fieldWords(view, field.name)}"${isNumeric(view, field.name, field.type.kind) ? html` class="number"` : ""}>${field === label && hasPage ? labelLink(view, row, field) : showField(view, row, field, true)}</td>`)}
${embedded.map((name) => html`<td data-label="${toWords(name)}">${showRelated(view, row.relations[name], row.totals[name])}</td>`)}
${grouped.map((name) => html`<td data-label="${toWords(name)}">${showGroups(row.groups[name] ?? [], references.get(name))}</td>`)}
${hasLinks ? html`<td class="more">${rowLinks(view, row, further)}</td>` : ""}
</tr>`,
  );
  return html`<div class="scroll" role="region" aria-label="${toWords(resource.plural)}" tabindex="0">
<table>
<thead><tr>${heads}${[...embedded, ...grouped].map((name) => html`<th scope="col">${toWords(name)}</th>`)}${hasLinks ? html`<th scope="col"><span class="unseen">Links</span></th>` : ""}</tr></thead>
<tbody>${body}</tbody>
</table>
</div>`;
}

/** Numbers are aligned at their last digit, except keys, which are shown as labels. */
function isNumeric({ model, resource }: ListView, name: string, kind: string): boolean {
  return NUMBERS.has(kind) && referenceIn(model, resource, name) === undefined;
}

function rowLinks(view: ListView, row: RowView, relations: readonly RelationModel[]): Markup {
  const url = rowUrl(view, row);
  if (relations.length === 0) return html`<a href="${url}">Open</a>`;
  return html`${relations.map(({ name }) => html` <a href="${url}/${kebabCase(name)}">${toWords(name)}</a>`)}`;
}

function labelLink(view: ListView, row: RowView, field: FieldModel): Markup {
  const text = row.fields[field.name];
  if (typeof text !== "string" || text === "") return showField(view, row, field, true);
  return html`<a href="${rowUrl(view, row)}"><bdi>${text}</bdi></a>`;
}

function head(view: ListView, name: string, isSortable: boolean, isNumber: boolean): Markup {
  const words = fieldWords(view, name);
  const kind = isNumber ? html` class="number"` : html``;
  if (!isSortable) return html`<th scope="col"${kind}>${words}</th>`;
  const [first = ""] = (parameterOf(view, "sort") ?? "").split(",");
  const isUp = first === name;
  const isDown = first === `-${name}`;
  const state = isUp ? html` aria-sort="ascending"` : isDown ? html` aria-sort="descending"` : html``;
  const url = withParameters(view, { sort: isUp ? `-${name}` : name });
  return html`<th scope="col"${kind}${state}><a href="${url}">${words}<span aria-hidden="true">${isUp ? "\u00a0↑" : isDown ? "\u00a0↓" : ""}</span></a></th>`;
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
