import type { FieldNode, GraphQLResolveInfo } from "graphql";
import type { RelationModel, ResourceModel } from "../../model/model.ts";
import { relationAs } from "../../operation/lower-selection.ts";
import { lowerList } from "./lower-list.ts";
import type { Target } from "./target.ts";

/**
 * Says where in the node the result of a relation field stands (see `RelationSelection.as`). Asked once for every row,
 * so it remembers, by the field of the document and the variables of the execution.
 */
export function relationPlace({
  model,
  relation,
  target,
  limits,
}: {
  readonly model: Target["model"];
  readonly relation: RelationModel;
  readonly target: ResourceModel;
  readonly limits: Target["limits"];
}): (args: Readonly<Record<string, unknown>>, info: GraphQLResolveInfo) => string {
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
    const place = relationAs(relation, target, lowerList({ model, resource: target, limits }, args, [relation.name]));
    places.set(node, place);
    return place;
  };
}
