import type { ClientDescription, ClientResource } from "@bifocal/core";
import { resourceNamed } from "../description.ts";
import type { ListQuery, Row } from "../lens.ts";
import { mapValues } from "../map-values.ts";
import { isPlainObject } from "../plain-object.ts";

/** Converts a filter to that of GraphQL, which has no short form of `eq`. */
export function toFilter(description: ClientDescription, resource: ClientResource, filter: Row): Row {
  const inner = (of: ClientResource) => (value: unknown) => toFilter(description, of, value as Row);
  return mapValues(filter, (name, value) => {
    if (name === "and" || name === "or") return (value as readonly Row[]).map(inner(resource));
    if (name === "not") return inner(resource)(value);
    if (!isPlainObject(value)) return { eq: value };
    const relation = resource.relations[name];
    if (!relation) return value;
    const one = inner(resourceNamed(description, relation.to));
    return relation.many ? mapValues(value, (_, related) => one(related)) : one(value);
  });
}

/** Converts the parts of a query for rows or groups to GraphQL arguments. */
export function toListArguments(description: ClientDescription, resource: ClientResource, query: ListQuery): Row {
  const { filter, search, sort, page = {} } = query;
  const { size, after, before, offset } = page;
  const isBackward = before !== undefined;
  return {
    filter: filter && toFilter(description, resource, filter),
    search,
    sort: sort?.map((term) => sortName(resource, term)),
    first: isBackward ? undefined : size,
    after,
    last: isBackward ? (size ?? resource.pageSize) : undefined,
    before,
    offset,
  };
}

function sortName({ sort }: ClientResource, term: string): string {
  const isDescending = term.startsWith("-");
  const name = isDescending ? term.slice(1) : term;
  return `${sort[name] ?? name}_${isDescending ? "DESC" : "ASC"}`;
}
