import type { ClientDescription, ClientResource } from "@bifocal/core";
import type { Options, Row } from "../lens.ts";
import { groupField } from "../group-field.ts";

export function aggregateSelection(
  description: ClientDescription,
  resource: ClientResource,
  { group = [], aggregate = [] }: Options,
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

/** Converts a group to that of REST, whose keys have the names of the terms. */
export function readGroup({ group = [] }: Options, node: Row): Row {
  const { group: keys, __typename: _, ...measures } = node;
  return { group: Object.fromEntries(group.map((term) => [term, (keys as Row)[keyName(term)]])), ...measures };
}

/** Converts `createdAt.month` to `createdAtMonth`, and `author.name` to `authorName`. */
function keyName(term: string): string {
  return term.replaceAll(/\.(.)/g, (_, letter: string) => letter.toUpperCase());
}
