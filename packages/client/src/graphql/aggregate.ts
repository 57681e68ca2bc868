import type { ClientDescription, ClientResource } from "@bifocal/core";
import { groupField } from "../group-field.ts";
import { keyName } from "../groups.ts";
import type { ListQuery } from "../lens.ts";

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
