import type { Group } from "../../operation/group.ts";

/** Adds the groups of a relation's rows to a row, named like the totals of embedded lists (docs/adr/0050). */
export function writeGroups(row: Record<string, unknown>, relation: string, groups: readonly Group[]): void {
  row[groupsName(relation)] = groups;
}

export function groupsName(relation: string): string {
  return `${relation}@groups`;
}
