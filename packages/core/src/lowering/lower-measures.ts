import type { ResourceModel } from "../model/model.ts";
import type { GroupTerm, Measure } from "../model/measure.ts";
import { listNames, type Path, quote, refuse } from "../errors/refuse.ts";
import { closestName } from "../util/closest-name.ts";

/**
 * Lowers `["count", "avg.price"]` to measures in the order of the model, without duplicates. Throws BAD_REQUEST for
 * unknown names.
 */
export function lowerMeasures({ name, aggregates }: ResourceModel, names: Iterable<string>, path: Path): Measure[] {
  const wanted = new Set(names);
  const measures: Measure[] = [];
  for (const measure of aggregates.measures.values()) {
    if (!wanted.delete(measure.name)) continue;
    if (measure.function === "count") measures.push({ function: "count" });
    else measures.push({ function: measure.function, field: measure.field });
  }
  for (const unknown of wanted) {
    const hint = hintFor(unknown, aggregates.measures.keys());
    refuse(path, "unknown_aggregate", `'${name}' has no aggregate ${quote(unknown)}. ${hint}`);
  }
  return measures;
}

/** Lowers `["genre", "createdAt.month"]` in the order of the request. Throws BAD_REQUEST for unknown or repeated names. */
export function lowerGroupTerms(
  { name, aggregates }: ResourceModel,
  names: readonly string[],
  path: Path,
): readonly GroupTerm[] {
  for (const [at, each] of names.entries()) {
    if (names.indexOf(each) < at) refuse(path, "repeated", `${quote(each)} appears twice in the groups.`);
  }
  return names.map((each) => {
    const group = aggregates.groups.get(each);
    if (group !== undefined) {
      const { field, part, relation } = group;
      return { field, ...(part === undefined ? {} : { part }), ...(relation === undefined ? {} : { relation }) };
    }
    const hint = hintFor(each, aggregates.groups.keys());
    return refuse(path, "unknown_group", `'${name}' can't be grouped by ${quote(each)}. ${hint}`);
  });
}

/** Returns the closest known name, or all of them. */
export function hintFor(name: string, known: Iterable<string>): string {
  const names = [...known];
  const closest = closestName(name, names);
  return closest === undefined ? `Available: ${listNames(names)}.` : `Did you mean '${closest}'?`;
}
