import { offeredSortPaths } from "../../lowering/lower-sort.ts";
import type { Model, ResourceModel } from "../../model/model.ts";
import { offeredGroups, offeredRelations } from "../../model/offered.ts";

/** The resource of the rows that a query reads. */
export interface QuerySubject {
  readonly model: Model;
  readonly resource: ResourceModel;
}

const OFFERED: ReadonlyMap<string, (subject: QuerySubject) => boolean> = new Map([
  ["q", ({ resource }) => resource.search.length > 0],
  ["sort", ({ model, resource }) => offeredSortPaths(model, resource).length > 0],
  ["include", hasRelations],
  ["rel", hasRelations],
  ["aggregate", ({ resource }) => resource.aggregates.isDeclared],
  ["group", ({ model, resource }) => resource.aggregates.isDeclared && offeredGroups(model, resource).length > 0],
  ["having", ({ resource }) => resource.aggregates.isDeclared],
]);

/** Returns the names of parameters that have an effect for the resource, as OpenAPI describes them. */
export function offeredParameters(known: readonly string[], subject: QuerySubject): readonly string[] {
  return known.filter((name) => OFFERED.get(name)?.(subject) ?? true);
}

function hasRelations({ model, resource }: QuerySubject): boolean {
  return offeredRelations(model, resource).length > 0;
}
