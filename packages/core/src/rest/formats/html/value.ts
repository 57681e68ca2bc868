import type { FieldModel, ResourceModel } from "../../../model/model.ts";
import { relationIn } from "../../../model/relation-in.ts";
import { formatId } from "../../../operation/key.ts";
import type { Group } from "../../../operation/group.ts";
import type { Json } from "../../../util/json.ts";
import type { RelationTotal } from "../../response/relation-total.ts";
import { isRows, type RowView, rowUrl, type View } from "../format.ts";
import { formatValue, shortenId } from "./format-value.ts";
import { html, type Markup } from "./markup.ts";
import { toWords } from "./words.ts";

type Site = Pick<View, "model" | "prefix">;

const EMPTY = html`<span class="empty" title="no value">–</span>`;
const HIDDEN = html`<span class="empty">hidden</span>`;

/** Shows a value for people. Keys are links to their rows; tables shorten them. */
export function showField(site: Site, row: RowView, field: FieldModel, isShort = false): Markup {
  const value = row.fields[field.name];
  if (value === undefined) return HIDDEN;
  if (value === null) return EMPTY;
  const { resource } = row;
  if (resource.operations.rest.get && resource.key.length === 1 && resource.key[0] === field.name) {
    return html`${link(rowUrl(site, row), shown(value), isShort)}${copyButton(shown(value))}`;
  }
  const relation = relationIn(resource, field.name);
  const related = relation && row.relations[relation.name];
  if (related && !isRows(related)) return referencedRow(site, related, shown(value), isShort);
  const far = relation && site.model.resources.get(relation.target);
  if (far?.operations.rest.get === true && typeof value !== "object" && typeof value !== "boolean") {
    return link(rowUrl(site, { resource: far, id: formatId(far, value) }), String(value), isShort);
  }
  return formatValue(value, field);
}

/** Returns the label of the row that a field references, if the row was read. */
export function referenceLabel(row: RowView, field: string): string | undefined {
  const relation = relationIn(row.resource, field);
  const related = relation && row.relations[relation.name];
  return related && !isRows(related) ? labelOf(related) : undefined;
}

/** Shows the row that a field references, with its key as the title. */
function referencedRow(site: Site, row: RowView, key: string, isShort: boolean): Markup {
  const label = labelOf(row);
  const text = isShort && label === key ? shortenId(key) : label;
  const shownAs = html`<bdi title="${key}">${text}</bdi>`;
  return row.resource.operations.rest.get ? html`<a href="${rowUrl(site, row)}">${shownAs}</a>` : shownAs;
}

/** Copies an id that is too long to type. */
function copyButton(id: string): Markup | string {
  if (shortenId(id) === id) return "";
  return html` <button type="button" class="copy" data-copy="${id}" data-script hidden aria-label="Copy ${id}">Copy</button>`;
}

function link(url: string, id: string, isShort: boolean): Markup {
  const text = isShort ? shortenId(id) : id;
  return text === id ? html`<a href="${url}">${id}</a>` : html`<a href="${url}" title="${id}">${text}</a>`;
}

/** Shows an embedded relation as links to its rows, labeled with their first text. */
export function showRelated(
  site: Site,
  related: RowView | readonly RowView[] | null | undefined,
  total?: RelationTotal,
): Markup {
  if (related === null || related === undefined) return EMPTY;
  if (!isRows(related)) return relatedLink(site, related);
  const all = total === undefined ? "" : html`<p class="count">${totalWords(total)} in total</p>`;
  if (related.length === 0) return total === undefined ? EMPTY : html`${all}`;
  return html`<ul class="related">${related.map((row) => html`<li>${relatedLink(site, row)}</li>`)}</ul>${all}`;
}

/** Shows a value of a group as a field of its rows. Undefined for null, and for values that aren't a field. */
export type ShowTerm = (name: string, value: Json) => Markup | undefined;

/** Shows the groups of a relation's rows, each as its values: `novel, count 12, avg price 10.2`. */
export function showGroups(groups: readonly Group[], showTerm: ShowTerm | undefined): Markup {
  if (groups.length === 0) return EMPTY;
  return html`<ul class="related">${groups.map((group) => html`<li>${groupWords(group, showTerm)}</li>`)}</ul>`;
}

function groupWords({ group, count, ...functions }: Group, showTerm: ShowTerm | undefined): readonly Markup[] {
  const terms = Object.entries(group).map(
    ([name, value]) => showTerm?.(name, value) ?? html`<bdi>${value === null ? "–" : shown(value)}</bdi>`,
  );
  const values = Object.entries(functions).flatMap(([name, own]) =>
    Object.entries(own).map(
      ([field, value]) => `${name} ${toWords(field).toLowerCase()} ${value === null ? "–" : shown(value)}`,
    ),
  );
  const measures = [...(count === undefined ? [] : [`count ${count}`]), ...values].map(
    (text) => html`<bdi>${text}</bdi>`,
  );
  return [...terms, ...measures].map((part, at) => html`${at === 0 ? "" : ", "}${part}`);
}

function totalWords({ total, isExact }: RelationTotal): string {
  return isExact ? total.toLocaleString("en") : `more than ${(total - 1).toLocaleString("en")}`;
}

function relatedLink(site: Site, row: RowView): Markup {
  const label = html`<bdi>${labelOf(row)}</bdi>`;
  return row.resource.operations.rest.get ? html`<a href="${rowUrl(site, row)}">${label}</a>` : label;
}

/** Returns the label of a row: its first text that isn't a key, or its id. */
export function labelOf({ resource, fields, id }: RowView): string {
  const texts = labelFields(resource).map(({ name }) => fields[name]);
  return (
    (texts.find((text) => typeof text === "string" && text !== "") as string | undefined) ?? decodeURIComponent(id)
  );
}

/** Returns the texts that aren't keys. The first one labels a row. */
export function labelFields({ visibleFields }: ResourceModel): readonly FieldModel[] {
  return visibleFields.filter(({ type, identifies }) => type.kind === "string" && !identifies);
}

function shown(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
