import type { RelationModel } from "../../model/model.ts";

/** A many-to-many relation seen from its other side, whether that side declares it or not. */
export function inverseOf(relation: RelationModel): RelationModel {
  const { through } = relation;
  return {
    ...relation,
    source: relation.target,
    target: relation.source,
    local: relation.foreign,
    foreign: relation.local,
    through: through && { name: through.name, from: through.to, to: through.from },
  };
}
