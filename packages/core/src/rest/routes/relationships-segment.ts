import type { ResourceModel } from "../../model/model.ts";
import { kebabCase } from "../../util/kebab-case.ts";

/** The segment of the path before the relation. */
export const RELATIONSHIPS = "relationships";

/** Whether a relation of that name has the path for itself, so that there are no relationship URLs. */
export function isRelationshipsTaken({ relations }: ResourceModel): boolean {
  return [...relations.keys()].some((name) => kebabCase(name) === RELATIONSHIPS);
}
