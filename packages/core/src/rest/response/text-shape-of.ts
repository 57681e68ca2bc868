import { compileTextShape, type TextMember } from "../../lowering/compile-text-shape.ts";
import { fieldOf } from "../../model/field-of.ts";
import type { FieldModel, Model, RelationModel, ResourceModel } from "../../model/model.ts";
import type { Selection } from "../../operation/selection.ts";
import { hasPlainText, type TextShape } from "../../operation/text-shape.ts";

interface SelectedRow {
  readonly resource: ResourceModel;
  readonly selection: Selection;
}

const SHAPES = new WeakMap<Selection, TextShape | null>();

/**
 * Returns the template for the text of a selection's rows, for stores that can produce it. Returns undefined if the
 * type of a field needs special serialization.
 */
export function textShapeOf(model: Model, resource: ResourceModel, selection: Selection): TextShape | undefined {
  let shape = SHAPES.get(selection);
  if (shape === undefined) {
    const compiled = compileTextShape({ resource, selection }, (row) => membersOf(model, row));
    SHAPES.set(selection, (shape = compiled ?? null));
  }
  return shape ?? undefined;
}

function membersOf(model: Model, { resource, selection }: SelectedRow): readonly TextMember<SelectedRow>[] | undefined {
  const { fields, relations } = selection;
  // Stores write neither totals nor groups.
  if (relations.some(({ count = false, aggregation }) => count !== false || aggregation !== undefined))
    return undefined;
  if (!fields.every((name) => hasPlainText(fieldOf(resource, name) as FieldModel))) return undefined;
  return [
    ...fields.map((name) => ({ key: name, kind: "field", name, isId: false }) as const),
    ...relations.map(({ relation, as, selection: inner }) => {
      const { target, many } = resource.relations.get(relation) as RelationModel;
      const row = { resource: model.resources.get(target) as ResourceModel, selection: inner };
      return { key: relation, kind: many ? "many" : "one", as, row } as const;
    }),
  ];
}
