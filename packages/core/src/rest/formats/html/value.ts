import type { FieldModel, ResourceModel } from "../../../model/model.ts";
import { formatId } from "../../../operation/key.ts";
import type { Json } from "../../../util/json.ts";
import { isRows, type RowView, rowUrl, type View } from "../format.ts";
import { html, type Markup } from "./markup.ts";

type Site = Pick<View, "model" | "prefix">;

const EMPTY = html`<span class="empty" title="no value">–</span>`;
const HIDDEN = html`<span class="empty">hidden</span>`;

/** Shows a value for people: keys are links to their rows, datetimes are dates, lists and objects are JSON. */
export function showField(site: Site, row: RowView, field: FieldModel): Markup {
  const value = row.fields[field.name];
  if (value === undefined) return HIDDEN;
  if (value === null) return EMPTY;
  const { resource } = row;
  if (resource.key.length === 1 && resource.key[0] === field.name) {
    return link(rowUrl(site, row), field, shown(value));
  }
  const far = targetOf(site, resource, field.name);
  if (far !== undefined && typeof value !== "object" && typeof value !== "boolean") {
    return link(rowUrl(site, { resource: far, id: formatId(far, value) }), field, String(value));
  }
  switch (field.type.kind) {
    case "boolean":
      return value === true ? html`yes` : html`no`;
    case "date":
    case "datetime":
      return html`<time datetime="${shown(value)}">${shown(value)}</time>`;
    case "url":
      return showUrl(shown(value));
    case "email":
      return html`<a href="mailto:${shown(value)}">${shown(value)}</a>`;
    case "number":
    case "integer":
    case "bigint":
      return html`<span class="number">${shown(value)}</span>`;
    default:
      return typeof value === "object" ? html`<code>${JSON.stringify(value)}</code>` : html`<bdi>${shown(value)}</bdi>`;
  }
}

/** Long ids are truncated by the style sheet. */
function link(url: string, { type }: FieldModel, text: string): Markup {
  return type.kind === "uuid"
    ? html`<a class="id" href="${url}" title="${text}">${text}</a>`
    : html`<a href="${url}">${text}</a>`;
}

/** Shows an embedded relation as links to its rows, labeled with their first text. */
export function showRelated(site: Site, related: RowView | readonly RowView[] | null | undefined): Markup {
  if (related === null || related === undefined) return EMPTY;
  const rows = isRows(related) ? related : [related];
  if (rows.length === 0) return EMPTY;
  return html`<ul class="related">${rows.map((row) => html`<li><a href="${rowUrl(site, row)}"><bdi>${labelOf(row)}</bdi></a></li>`)}</ul>`;
}

/** Returns the label of a row: its first text that isn't a key, or its id. */
export function labelOf({ resource, fields, id }: RowView): string {
  for (const { name, type, identifies } of resource.visibleFields) {
    const value = fields[name];
    if (type.kind === "string" && !identifies && typeof value === "string" && value !== "") return value;
  }
  return decodeURIComponent(id);
}

/** Returns the resource whose key a field contains. */
function targetOf({ model }: Site, { relations }: ResourceModel, field: string): ResourceModel | undefined {
  for (const { kind, local, target } of relations.values()) {
    if (kind === "belongsTo" && local === field) return model.resources.get(target);
  }
  return undefined;
}

/** Only HTTP URLs become links, because other URLs can run scripts. */
function showUrl(url: string): Markup {
  return /^https?:\/\//i.test(url) ? html`<a href="${url}" rel="noopener noreferrer">${url}</a>` : html`${url}`;
}

function shown(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
