import type { Model, RelationModel, ResourceModel, Row } from "../../model/model.ts";
import { formatId, keyOf } from "../../operation/key.ts";
import { selectFields } from "../../lowering/lower-selection.ts";
import type { Node, PageNode } from "../../operation/outcome.ts";
import type { Selection } from "../../operation/selection.ts";
import type { Json } from "../../util/json.ts";
import type { RowView } from "./format.ts";

/** Adds the keys of all rows to a selection, because links need their ids. */
export function withKeys(model: Model, resource: ResourceModel, selection: Selection): Selection {
  const hasKey = resource.key.every((name) => selection.fields.includes(name));
  return {
    fields: hasKey ? selection.fields : selectFields(resource, [...selection.fields, ...resource.key]),
    relations: selection.relations.map((selected) => {
      const { target } = resource.relations.get(selected.relation) as RelationModel;
      const inner = withKeys(model, model.resources.get(target) as ResourceModel, selected.selection);
      return { ...selected, selection: inner };
    }),
  };
}

/** Converts a node of a selection `withKeys` to a view with the fields of `selection` only. */
export function viewRow(model: Model, resource: ResourceModel, selection: Selection, node: Node): RowView {
  const fields: Record<string, Json> = {};
  for (const name of selection.fields) {
    const value = node[name];
    if (value !== undefined) fields[name] = value as Json;
  }
  const relations: Record<string, RowView | readonly RowView[] | null> = {};
  for (const { relation, as, selection: inner } of selection.relations) {
    const value = node[as];
    if (value === undefined) continue;
    const { target, many } = resource.relations.get(relation) as RelationModel;
    const far = model.resources.get(target) as ResourceModel;
    const view = (one: Node): RowView => viewRow(model, far, inner, one);
    relations[relation] = many ? (value as PageNode).nodes.map(view) : value === null ? null : view(value as Node);
  }
  return { resource, id: formatId(resource, keyOf(resource, node as Row)), fields, relations };
}
