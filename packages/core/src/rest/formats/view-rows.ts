import type { Model, RelationModel, ResourceModel } from "../../model/model.ts";
import { formatId } from "../../operation/key.ts";
import { selectFields } from "../../lowering/lower-selection.ts";
import type { Group } from "../../operation/group.ts";
import type { RowWriter } from "../../operation/visible-rows.ts";
import type { Selection } from "../../operation/selection.ts";
import type { Json } from "../../util/json.ts";
import { type RelationTotal, relationTotal } from "../response/relation-total.ts";
import type { RowView } from "./format.ts";

/** Adds the keys of all rows to a selection, because links need their ids. */
export function withKeys(model: Model, resource: ResourceModel, selection: Selection): Selection {
  const hasKey = resource.key.every((name) => selection.fields.includes(name));
  return {
    fields: hasKey ? selection.fields : selectFields(resource, [...selection.fields, ...resource.key]),
    relations: selection.relations.map((selected) => {
      if (selected.aggregation !== undefined) return selected;
      const { target } = resource.relations.get(selected.relation) as RelationModel;
      const inner = withKeys(model, model.resources.get(target) as ResourceModel, selected.selection);
      return { ...selected, selection: inner };
    }),
  };
}

interface RowDraft extends RowView {
  id: string;
  readonly fields: Record<string, Json>;
  readonly relations: Record<string, RowView | readonly RowView[] | null>;
  readonly totals: Record<string, RelationTotal>;
  readonly groups: Record<string, readonly Group[]>;
}

/** Creates the view of a row that was read `withKeys`. */
export const ROW_VIEW: RowWriter<RowDraft> = {
  create: (resource) => ({ resource, id: "", fields: {}, relations: {}, totals: {}, groups: {} }),
  key: (view, key) => {
    view.id = formatId(view.resource, key);
  },
  field: ({ fields }, name, value) => {
    fields[name] = value;
  },
  one: ({ relations }, { relation }, related) => {
    relations[relation] = related;
  },
  many: ({ relations, totals }, selected, page) => {
    const { relation, selection } = selected;
    relations[relation] = page.write(ROW_VIEW, selection);
    const total = relationTotal(selected, page);
    if (total !== undefined) totals[relation] = total;
  },
  groups: ({ groups }, { relation }, page) => {
    groups[relation] = page.groups;
  },
};
