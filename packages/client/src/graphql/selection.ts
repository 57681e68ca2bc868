import type { ClientDescription, ClientResource } from "@bifocal/core";
import { resourceNamed } from "../description.ts";
import { BifocalError } from "../client-error.ts";
import { isGroups } from "../groups.ts";
import type { Select } from "../lens.ts";
import { aggregateSelection } from "./aggregate.ts";
import type { Arguments } from "./document.ts";
import { toListArguments } from "./input.ts";

/** Writes the selection set of a row. Without a selection, it has all fields. */
export function writeSelection(
  description: ClientDescription,
  resource: ClientResource,
  select: Select | undefined,
  args: Arguments,
): string {
  const parts: string[] = [];
  const all = Object.entries(resource.fields).flatMap(([name, field]) =>
    field.isRestOnly === true ? [] : [[name, true] as const],
  );
  for (const [name, wanted] of select === undefined ? all : Object.entries(select)) {
    const relation = resource.relations[name];
    if (relation === undefined) {
      if (wanted) parts.push(name + (resource.fields[name]?.select ?? ""));
      continue;
    }
    const query = wanted === true ? {} : wanted;
    const target = resourceNamed(description, relation.to);
    const listed = toListArguments(description, target, query);
    const hasGroups = isGroups(query);
    if (hasGroups && !relation.groups) {
      throw new BifocalError("METHOD_NOT_ALLOWED", `GraphQL has no groups of '${resource.name}.${name}'.`);
    }
    const types = hasGroups && relation.groups ? relation.groups : relation.args;
    const written = args.write(`${resource.name}.${name}`, types, relation.many ? listed : {});
    if (hasGroups) {
      parts.push(`${name}: ${name}Aggregate${written} { nodes ${aggregateSelection(description, target, query)} }`);
      continue;
    }
    const inner = writeSelection(description, target, query.select, args);
    parts.push(relation.many ? `${name}${written} { nodes ${inner} }` : `${name} ${inner}`);
  }
  return `{ ${parts.length === 0 ? "__typename" : parts.join(" ")} }`;
}
