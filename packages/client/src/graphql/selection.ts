import type { ClientDescription, ClientResource } from "@bifocal/core";
import { resourceNamed } from "../description.ts";
import { BifocalError } from "../client-error.ts";
import { isGroups } from "../groups.ts";
import type { Select } from "../lens.ts";
import type * as parts from "./aggregate.ts";
import type { Arguments } from "./document.ts";
import { toListArguments } from "./input.ts";

/** The code for groups. Only calls with groups load it. */
export type Aggregates = typeof parts;

/** Writes the selection set of a row. Without a selection, it has all fields. */
export function writeSelection(
  description: ClientDescription,
  resource: ClientResource,
  select: Select | undefined,
  args: Arguments,
  aggregates?: Aggregates,
): string {
  const parts: string[] = [];
  const all = Object.entries(resource.fields).flatMap(([name, field]) =>
    field.isRestOnly ? [] : [[name, true] as const],
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
    const place = `${resource.name}.${name}`;
    if (aggregates && isGroups(query)) {
      if (!relation.groups)
        throw new BifocalError("METHOD_NOT_ALLOWED", `GraphQL doesn't offer groups for '${place}'.`);
      const values = { ...listed, ...aggregates.aggregateArguments(target, query) };
      const written = args.write(place, relation.groups, values);
      parts.push(
        `${name}: ${name}Aggregate${written} { nodes ${aggregates.aggregateSelection(description, target, query)} }`,
      );
      continue;
    }
    const written = args.write(place, relation.args, relation.many ? listed : {});
    const inner = writeSelection(description, target, query.select, args, aggregates);
    parts.push(relation.many ? `${name}${written} { nodes ${inner} }` : `${name} ${inner}`);
  }
  return `{ ${parts.join(" ") || "__typename"} }`;
}
