import type { ClientDescription, ClientResource } from "@bifocal/core";
import { decodeField } from "./decode.ts";
import { resourceNamed } from "./description.ts";
import { type Groups, isGroups } from "./groups.ts";
import type { ListQuery, Row, Select } from "./lens.ts";

/** Converts a row of a response to what `api.local` returns: dates and bigints, and only what was selected. */
export function decodeRow(
  description: ClientDescription,
  resource: ClientResource,
  row: Row,
  select?: Select,
  groups?: Groups,
): Row {
  const decoded: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(row)) {
    // In REST, groups of a relation have a name of their own.
    const name = member.replace(/@groups$/, "");
    const wanted = select?.[name];
    if (select !== undefined && wanted === undefined) continue;
    const relation = resource.relations[name];
    if (relation === undefined) {
      decoded[name] = decodeField(resource, name, value);
      continue;
    }
    const inner = (wanted as ListQuery | undefined)?.select;
    const target = resourceNamed(description, relation.to);
    const one = (related: unknown): unknown => related && decodeRow(description, target, related as Row, inner, groups);
    // In GraphQL, a list is a connection.
    const rows = relation.many ? ((value as { readonly nodes?: unknown } | null)?.nodes ?? value) : value;
    const group = (node: Row): unknown =>
      groups?.decodeGroup(description, target, wanted as ListQuery, node, decodeField);
    decoded[name] = Array.isArray(rows) ? rows.map(isGroups(wanted) ? group : one) : one(rows);
  }
  return decoded;
}
