import type { ClientDescription, ClientResource } from "@bifocal/core";
import { groupField, keyName } from "../group-field.ts";
import type { ListQuery, Row } from "../lens.ts";

export function aggregateArguments({ sort }: ClientResource, { group, having }: ListQuery): Row {
  return {
    groupBy: group?.length ? group.map((term) => sort[term] ?? term) : undefined,
    having: having && toHaving(having),
  };
}

/** Converts conditions on groups: `avg.price` is an object in GraphQL, which has no short form of `eq`. */
function toHaving(having: Row): Row {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(having)) {
    const [measure = "", field] = name.split(".");
    if (value === undefined) continue;
    if (name === "and" || name === "or") result[name] = (value as readonly Row[]).map(toHaving);
    else if (name === "not") result[name] = toHaving(value as Row);
    else {
      const condition = typeof value === "object" && value !== null && !(value instanceof Date) ? value : { eq: value };
      result[measure] = field ? { ...(result[measure] as Row), [field]: condition } : condition;
    }
  }
  return result;
}

export function aggregateSelection(
  description: ClientDescription,
  resource: ClientResource,
  { group = [], aggregate = [] }: ListQuery,
): string {
  const keys = group.map((term) => {
    const { owner, name } = groupField(description, resource, term);
    return keyName(term) + (owner.fields[name]?.select ?? "");
  });
  const functions = new Map<string, string[]>();
  for (const measure of aggregate) {
    const [name = "", field] = measure.split(".");
    functions.set(name, [...(functions.get(name) ?? []), ...(field === undefined ? [] : [field])]);
  }
  const measures = [...functions].map(([name, of]) => (of.length === 0 ? name : `${name} { ${of.join(" ")} }`));
  const groups = keys.length === 0 ? [] : [`group { ${keys.join(" ")} }`];
  return `{ ${[...groups, ...measures].join(" ") || "__typename"} }`;
}
