import type { FieldModel } from "../../../model/model.ts";
import type { ListView } from "../format.ts";
import { html, type Markup } from "./markup.ts";
import { referenceIn } from "./reference-labels.ts";
import { parameterOf, withParameters } from "./url.ts";
import { labelFields } from "./value.ts";

const MAX_COLUMNS = 7;

/**
 * Returns the fields to show as columns: those that the request names. By default, the label comes first, followed by
 * others without generated ids, times and fields that the caller can't read, at most seven columns together with those
 * of the embedded relations.
 */
export function columnsOf(view: ListView): readonly FieldModel[] {
  const selected = selectedFields(view);
  if (parameterOf(view, "fields") !== undefined) return selected;
  const label = labelColumn(view);
  const others = selected.filter(
    (field) =>
      field !== label &&
      !(label !== undefined && isTechnical(view, field)) &&
      !isEmbedded(view, field) &&
      !isUnreadable(view, field),
  );
  const columns = (label === undefined ? others : [label, ...others]).slice(
    0,
    Math.max(1, MAX_COLUMNS - view.selection.relations.length),
  );
  return columns.length === 0 ? selected : columns;
}

/** Returns the column whose text links to the row. */
export function labelColumn(view: ListView): FieldModel | undefined {
  const selected = selectedFields(view);
  return labelFields(view.resource).find((field) => selected.includes(field) && !isUnreadable(view, field));
}

/** Links to the same list with all its columns, if some are not shown. */
export function columnsLink(view: ListView): Markup | string {
  const selected = selectedFields(view);
  if (columnsOf(view).length === selected.length) return "";
  const kept = selected.map(({ name }) => name).join(",");
  return html` <a href="${withParameters(view, { fields: kept })}">Show all ${selected.length} columns</a>`;
}

function selectedFields({ resource, selection }: ListView): readonly FieldModel[] {
  return resource.visibleFields.filter(({ name }) => selection.fields.includes(name));
}

/** Whether a column of its own shows the row that the field references. */
function isEmbedded({ model, resource, selection }: ListView, { name }: FieldModel): boolean {
  const relation = referenceIn(model, resource, name);
  return relation !== undefined && selection.relations.some((selected) => selected.relation === relation.name);
}

function isUnreadable({ rows }: ListView, { name }: FieldModel): boolean {
  return rows.length > 0 && rows.every(({ fields }) => fields[name] === undefined);
}

function isTechnical({ resource }: ListView, { name, type }: FieldModel): boolean {
  const isOwnId = type.kind === "uuid" && resource.key.includes(name);
  return isOwnId || type.kind === "datetime";
}
