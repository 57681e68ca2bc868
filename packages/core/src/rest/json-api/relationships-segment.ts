import type { ResourceModel } from "../../model/model.ts";
import { kebabCase } from "../../util/kebab-case.ts";

/** The path segment before the relation. */
export const RELATIONSHIPS = "relationships";

/** Whether a relation called `relationships` uses the path, so that there are no relationship URLs. */
export function isRelationshipsTaken({ relations }: ResourceModel): boolean {
  return [...relations.keys()].some((name) => kebabCase(name) === RELATIONSHIPS);
}
