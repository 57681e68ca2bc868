import type { RelationModel, ResourceModel } from "./model.ts";

/**
 * Returns the `belongsTo` relation whose target's key a field holds on its own. A part of a reference with several
 * fields, or the value of another unique field, isn't a key.
 */
export function relationIn({ relations }: ResourceModel, field: string): RelationModel | undefined {
  for (const relation of relations.values()) {
    const { kind, local, toKey } = relation;
    if (kind === "belongsTo" && toKey && local.length === 1 && local[0] === field) return relation;
  }
  return undefined;
}
