import type { Model, RelationModel, ResourceModel } from "../../model/model.ts";
import { formatId } from "../../operation/key.ts";
import { selectFields } from "../../lowering/lower-selection.ts";
import type { RowWriter } from "../../operation/visible-rows.ts";
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

interface RowDraft extends RowView {
  id: string;
  readonly fields: Record<string, Json>;
  readonly relations: Record<string, RowView | readonly RowView[] | null>;
}

/** Creates the view of a row that was read `withKeys`. */
export const ROW_VIEW: RowWriter<RowDraft> = {
  create: (resource) => ({ resource, id: "", fields: {}, relations: {} }),
  key: (view, key) => {
    view.id = formatId(view.resource, key);
  },
  field: ({ fields }, name, value) => {
    fields[name] = value;
  },
  one: ({ relations }, { relation }, related) => {
    relations[relation] = related;
  },
  many: ({ relations }, { relation, selection }, page) => {
    relations[relation] = page.write(ROW_VIEW, selection);
  },
};
