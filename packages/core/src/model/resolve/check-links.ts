import type { RelationModel } from "../model.ts";
import type { Pass } from "./draft.ts";

/** Relations over the same link table agree about its columns, from whichever side they look. */
export const checkLinks: Pass = (drafts, report) => {
  const tables = new Map<string, RelationModel>();
  for (const draft of drafts.values()) {
    for (const relation of draft.relations.values()) {
      if (relation.through === undefined) continue;
      const first = tables.get(relation.through.name);
      if (first === undefined) tables.set(relation.through.name, relation);
      else if (columnsOf(first) !== columnsOf(relation)) {
        report(
          `${draft.name}.relations.${relation.name}`,
          `It does not agree with '${first.source}.${first.name}' about the links in '${relation.through.name}'.`,
          "Swap 'from' and 'to' on one side, or give each its own table by 'through'.",
        );
      }
    }
  }
};

/** Which column holds the key of which resource. */
function columnsOf({ source, target, through }: RelationModel): string {
  return [`${through?.from} of ${source}`, `${through?.to} of ${target}`].sort().join();
}
