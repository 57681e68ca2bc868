import type { FieldNode, GraphQLResolveInfo } from "graphql";
import type { RelationModel, ResourceModel } from "../../model/model.ts";
import { relationAs } from "../../lowering/lower-selection.ts";
import { lowerList } from "./lower-list.ts";
import type { FieldTarget } from "./field-target.ts";

type Arguments = Readonly<Record<string, unknown>>;

export interface PlacedRelation extends Omit<FieldTarget, "resource"> {
  readonly relation: RelationModel;
  readonly target: ResourceModel;
}

/** Returns the key of a relation's result in its node (see `RelationSelection.as`). */
export function placeOf({ relation, target, ...others }: PlacedRelation, args: Arguments): string {
  if (!relation.many) return relation.name;
  return relationAs(relation, target, lowerList({ ...others, resource: target }, args, [relation.name]));
}

/**
 * Creates `placeOf` for a resolver. It runs once per row, so the result is cached by field of the document and
 * variables.
 */
export function relationPlace(source: PlacedRelation): (args: Arguments, info: GraphQLResolveInfo) => string {
  const { relation } = source;
  if (!relation.many) return () => relation.name;
  const executions = new WeakMap<object, Map<FieldNode, string>>();
  return (args, info) => {
    const node = info.fieldNodes[0];
    if (node === undefined || (node.arguments ?? []).length === 0) return relation.name;
    let places = executions.get(info.variableValues);
    if (places === undefined) {
      places = new Map();
      executions.set(info.variableValues, places);
    }
    const known = places.get(node);
    if (known !== undefined) return known;
    const place = placeOf(source, args);
    places.set(node, place);
    return place;
  };
}
