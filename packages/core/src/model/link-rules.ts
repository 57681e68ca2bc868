import type { Model, RelationModel, ResourceModel } from "./model.ts";

import { isSameFields } from "./reference.ts";

/** A `link` rule that applies to a link, and the end of the link whose row it checks. */
export interface LinkRule {
  readonly end: "source" | "target";
  readonly resource: ResourceModel;
  readonly relation: RelationModel;
}

/**
 * Returns the rules that must all allow a link along a relation. A link appears in every relation that uses its link
 * table, so the rules of all of them apply, whichever side creates the link.
 */
export function linkRules({ resources }: Pick<Model, "resources">, along: RelationModel): readonly LinkRule[] {
  const { through } = along;
  if (through === undefined) return [];
  const rules: LinkRule[] = [];
  for (const name of new Set([along.source, along.target])) {
    const resource = resources.get(name) as ResourceModel;
    for (const relation of resource.relations.values()) {
      if (relation.through?.name !== through.name) continue;
      rules.push({ end: isSameFields(relation.through.from, through.from) ? "source" : "target", resource, relation });
    }
  }
  return rules;
}
