import type { ClientDescription, UnionForm, ClientResource } from "@bifocal/core";
import { resourceNamed } from "../description.ts";
import type { ListQuery, Row } from "../lens.ts";
import { mapValues, setEntries } from "../map-values.ts";
import { isPlainObject } from "../plain-object.ts";

/**
 * Converts a filter to that of GraphQL, which has no short form of `eq`. Without a resource, it converts conditions on
 * groups, where `avg.price` is an object in GraphQL.
 */
export function toFilter(description: ClientDescription, resource: ClientResource | undefined, filter: Row): Row {
  const result: Record<string, unknown> = {};
  const inner = (of: ClientResource | undefined) => (value: unknown) => toFilter(description, of, value as Row);
  for (const [name, value] of setEntries(filter)) {
    const relation = resource?.relations[name];
    const [measure = "", field] = name.split(".");
    if (name === "and" || name === "or") result[name] = (value as readonly Row[]).map(inner(resource));
    else if (name === "not") result[name] = inner(resource)(value);
    else if (relation && isPlainObject(value)) {
      const one = inner(resourceNamed(description, relation.to));
      result[name] = relation.many ? mapValues(value, (_, related) => one(related)) : one(value);
    } else {
      const condition = isPlainObject(value) ? value : { eq: value };
      result[measure] = field ? { ...(result[measure] as Row), [field]: condition } : condition;
    }
  }
  return result;
}

/** Converts the input of a write: unions are one-of inputs, and a list of links is `{ set }` in an update. */
export function toInput(
  description: ClientDescription,
  resource: ClientResource,
  input: unknown,
  isUpdate: boolean,
): unknown {
  if (Array.isArray(input)) return input.map((one) => toInput(description, resource, one, isUpdate));
  if (!isPlainObject(input)) return input;
  return mapValues(input, (name, value) => {
    const relation = resource.relations[name];
    if (relation === undefined) return toValue(resource.fields[name]?.input, value);
    const target = resourceNamed(description, relation.to);
    if (!isUpdate) return toInput(description, target, value, false);
    if (Array.isArray(value)) return { set: value };
    return mapValues(value as Row, (change, rows) =>
      change === "create" || change === "update" ? toInput(description, target, rows, change === "update") : rows,
    );
  });
}

export function toValue(form: UnionForm | undefined, value: unknown): unknown {
  if (form === undefined || value === null || value === undefined) return value;
  if ("each" in form) return Array.isArray(value) ? value.map((one) => toValue(form.each, one)) : value;
  if (!isPlainObject(value)) return value;
  if ("members" in form) return mapValues(value, (name, one) => toValue(form.members[name], one));
  const { [form.tag]: tag, ...members } = value;
  const option = form.options[String(tag)];
  return option === undefined ? value : { [option.name]: toValue(option.form, members) };
}

/** Converts the parts of a query for rows or groups to GraphQL arguments. */
export function toListArguments(description: ClientDescription, resource: ClientResource, query: ListQuery): Row {
  const { filter, search, sort, group, having, page = {} } = query;
  const { size, after, before, offset } = page;
  const isBackward = before !== undefined;
  return {
    filter: filter && toFilter(description, resource, filter),
    search,
    sort: sort?.map((term) => sortName(resource, term)),
    groupBy: group?.length ? group.map((term) => resource.sort[term] ?? term) : undefined,
    having: having && toFilter(description, undefined, having),
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
