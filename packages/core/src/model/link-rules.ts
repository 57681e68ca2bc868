import type { Model, RelationModel, ResourceModel } from "./model.ts";

/** A `link` rule that has a say about a link, and the end of the link whose row it is about. */
export interface LinkRule {
  readonly end: "source" | "target";
  readonly resource: ResourceModel;
  readonly relation: RelationModel;
}

/**
 * Lists the rules that all have to permit a link along a relation: a link shows in every relation over the same link table,
 * so each of them decides, from whichever end the link is made.
 */
export function linkRules({ resources }: Pick<Model, "resources">, along: RelationModel): readonly LinkRule[] {
  const { through } = along;
  if (through === undefined) return [];
  const rules: LinkRule[] = [];
  for (const name of new Set([along.source, along.target])) {
    const resource = resources.get(name) as ResourceModel;
    for (const relation of resource.relations.values()) {
      if (relation.through?.name !== through.name) continue;
      rules.push({ end: relation.through.from === through.from ? "source" : "target", resource, relation });
    }
  }
  return rules;
}
