import type { FieldModel, RelationModel, ResourceModel } from "../../../model/model.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import type { Group } from "../../../operation/group.ts";
import { formatId } from "../../../operation/key.ts";
import type { Json } from "../../../util/json.ts";
import type { ReadReferenced, RowView, View } from "../format.ts";
import type { Markup } from "./markup.ts";
import { referenceIn, storedLabel } from "./reference-labels.ts";
import { showField, type ShowTerm } from "./value.ts";

type Site = Pick<View, "model" | "prefix"> & { readonly referenced: ReadReferenced };

/** Reads the rows that groups of a resource refer to, those of each foreign key together. */
export async function readGroupReferences(
  site: Site,
  resource: ResourceModel,
  groups: readonly Group[],
): Promise<ShowTerm> {
  const names = Object.keys(groups[0]?.group ?? {});
  const read = names.map(async (name) => [name, await rowsOf(site, resource, groups, name)] as const);
  const references = new Map(await Promise.all(read));
  return (name, value) => {
    const field = resource.visibleFields.find((one) => one.name === name);
    if (field === undefined || value === null) return undefined;
    return showTerm(site, resource, references.get(name), field, value);
  };
}

/** Returns the referenced rows by their ids. */
async function rowsOf(
  { model, referenced }: Site,
  resource: ResourceModel,
  groups: readonly Group[],
  name: string,
): Promise<ReadonlyMap<string, RowView>> {
  const relation = referenceIn(model, resource, name);
  const label = relation && storedLabel(resourceOf(model, relation.target));
  if (relation === undefined || label === undefined) return new Map();
  const values = groups.map(({ group }) => group[name] ?? null);
  const rows = await referenced(relation, values, [label]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Shows a value like in the table of rows, so that a key links to its row. */
function showTerm(
  site: Site,
  resource: ResourceModel,
  rows: ReadonlyMap<string, RowView> | undefined,
  field: FieldModel,
  value: Json,
): Markup {
  const { name } = field;
  const isKey = typeof value === "string" || typeof value === "number";
  const relation = referenceIn(site.model, resource, name);
  const row = relation && isKey ? rows?.get(formatId(resourceOf(site.model, relation.target), value)) : undefined;
  const relations = relation === undefined || row === undefined ? {} : { [relation.name]: row };
  const id = isKey ? formatId(resource, value) : "";
  return showField(site, { resource, id, fields: { [name]: value }, relations, totals: {}, groups: {} }, field, true);
}

/** Reads the rows that the groups of aggregated relations refer to, by relation. */
export async function readRelationReferences(
  site: Site & Pick<View, "resource" | "selection">,
  rows: readonly RowView[],
): Promise<ReadonlyMap<string, ShowTerm>> {
  const read = site.selection.relations
    .filter(({ aggregation }) => aggregation !== undefined)
    .map(async ({ relation: name }): Promise<readonly [string, ShowTerm]> => {
      const { target } = site.resource.relations.get(name) as RelationModel;
      const groups = rows.flatMap((row) => row.groups[name] ?? []);
      return [name, await readGroupReferences(site, resourceOf(site.model, target), groups)];
    });
  return new Map(await Promise.all(read));
}
