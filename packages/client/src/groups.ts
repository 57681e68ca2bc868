import type * as parts from "./decode-group.ts";
import type { ListQuery } from "./lens.ts";
import { loadPart } from "./load-part.ts";

/** The code that decodes groups. Only calls with groups load it. */
export type Groups = typeof parts;

/** Whether a relation is selected as groups of its rows. */
export function isGroups(wanted: true | ListQuery | undefined): boolean {
  const { aggregate, group } = (wanted ?? {}) as ListQuery;
  return (aggregate ?? group) !== undefined;
}

/** Loads the code for groups if a query or its relations have any. */
export async function loadGroups(query: ListQuery): Promise<Groups | undefined> {
  return hasGroups(query) ? loadPart(import("./decode-group.ts")) : undefined;
}

function hasGroups(query: true | ListQuery): boolean {
  return isGroups(query) || Object.values((query as ListQuery).select ?? {}).some(hasGroups);
}
