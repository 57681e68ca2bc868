import type { RelationModel } from "../../model/model.ts";

/** Returns a many-to-many relation as seen from its other side, even if that side doesn't declare it. */
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
