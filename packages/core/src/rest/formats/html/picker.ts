import type { Model, ResourceModel } from "../../../model/model.ts";
import type { WireMember } from "../../../model/wire-type.ts";
import { html, type Markup } from "./markup.ts";
import { referenceIn } from "./reference-labels.ts";
import { labelFields } from "./value.ts";

/** The place of a form, from which its pickers read rows. */
export interface PickerSite {
  readonly model: Model;
  readonly prefix: string;
}

const SIZE = 10;
/** Rows that can't be searched are filtered by the script. */
const UNSEARCHED_SIZE = 100;

/**
 * Returns the attributes that make the input of a field a picker of the row that the field references: where the script
 * finds rows, and which of their fields are the key and the label. Undefined if rows have no list or no label.
 */
export function pickerData({ model, prefix }: PickerSite, resource: ResourceModel, field: string): Markup | undefined {
  const relation = referenceIn(model, resource, field);
  return relation && pickerOf({ model, prefix }, model.resources.get(relation.target) as ResourceModel);
}

/** Returns the attributes for an input of an action: a foreign key of the resource, or `bookId` for a book. */
export function inputPicker(site: PickerSite, resource: ResourceModel, { name, type }: WireMember): Markup | undefined {
  const own = referenceIn(site.model, resource, name);
  const target = site.model.resources.get(own?.target ?? name.replace(/Id$/, ""));
  if (target === undefined || (own === undefined && !name.endsWith("Id"))) return undefined;
  const [key] = target.key;
  const isKey =
    target.key.length === 1 && target.visibleFields.some((one) => one.name === key && one.type.kind === type.kind);
  return isKey ? pickerOf(site, target) : undefined;
}

/** `path` is the URL of the rows to choose from. */
export function pickerOf(
  { prefix }: PickerSite,
  target: ResourceModel,
  path = `${prefix}/${target.path}`,
): Markup | undefined {
  const label = labelFields(target).find(({ name }) => !target.computed.has(name));
  const [key] = target.key;
  if (!target.operations.rest.list || label === undefined || key === undefined) return undefined;
  const isFiltered = label.filterable && label.operators.includes("icontains");
  const search = isFiltered ? `filter[${label.name}][icontains]` : target.search.length > 0 ? "q" : "";
  const sort = label.sortable ? `&sort=${label.name}` : "";
  const size = search === "" ? UNSEARCHED_SIZE : SIZE;
  const url = `${path}?fields=${key},${label.name}${sort}&page[size]=${size}`;
  return html` data-pick="${url}"${target.operations.rest.get ? html` data-row="${prefix}/${target.path}/"` : ""} data-search="${search}" data-key="${key}" data-label="${label.name}"`;
}
