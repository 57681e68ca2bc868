import { DefinitionError, type DefinitionMistake } from "../errors/definition-error.ts";
import { isBifocalError } from "../errors/bifocal-error.ts";
import type { Limits } from "../limits/limits.ts";
import type { Model, RelationModel } from "../model/model.ts";
import { resourceOf } from "../model/resource-of.ts";
import { relatedCondition } from "./related-condition.ts";

/** Checks the conditions of computed fields. Throws `DefinitionError` with all mistakes. */
export function checkComputed(model: Model, limits: Limits): void {
  const mistakes: DefinitionMistake[] = [];
  for (const resource of model.resources.values()) {
    for (const { name, computation } of resource.computed.values()) {
      if (computation.kind !== "related") continue;
      const relation = resource.relations.get(computation.relation) as RelationModel;
      try {
        relatedCondition(model, resourceOf(model, relation.target), computation, limits);
      } catch (thrown) {
        if (!isBifocalError(thrown)) throw thrown;
        const fix = `Use fields of '${relation.target}' and operators of their types.`;
        mistakes.push({ at: `${resource.name}.computed.${name}`, problem: thrown.message, fix });
      }
    }
  }
  if (mistakes.length > 0) throw new DefinitionError(mistakes);
}
