import type { ClientDescription, ClientResource, Conversion } from "@bifocal/core";
import { BifocalError } from "./client-error.ts";
import type { Row, Select } from "./lens.ts";
import { mapValues } from "./map-values.ts";
import { resourceNamed } from "./description.ts";

/** Converts a row of a response to what `api.local` returns: dates and bigints, and only what was selected. */
export function decodeRow(description: ClientDescription, resource: ClientResource, row: Row, select?: Select): Row {
  const decoded: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    const wanted = select?.[name];
    if (select !== undefined && wanted === undefined) continue;
    const relation = resource.relations[name];
    if (relation === undefined) {
      decoded[name] = decodeField(resource, name, value);
      continue;
    }
    const inner = typeof wanted === "object" ? wanted.select : undefined;
    const target = resourceNamed(description, relation.to);
    const one = (related: unknown): unknown => related && decodeRow(description, target, related as Row, inner);
    // In GraphQL, a list is a connection.
    const rows = relation.many ? ((value as { readonly nodes?: unknown } | null)?.nodes ?? value) : value;
    decoded[name] = Array.isArray(rows) ? rows.map(one) : one(rows);
  }
  return decoded;
}

export function decodeField({ name: of, fields }: ClientResource, name: string, value: unknown): unknown {
  const { form, isNumericId } = fields[name] ?? {};
  // The text of an id in GraphQL, or of a key in a URL.
  return !form && isNumericId && value ? Number(value) : decodeValue(form, value, `${of}.${name}`);
}

export function decodeValue(form: Conversion | undefined, value: unknown, place: string): unknown {
  if (!form || value === null || value === undefined) return value;
  if (form === "date") return new Date(value as string);
  if (form === "bigint") return BigInt(value as string);
  if (form === "codec") {
    const problem = `'${place}' has a codec. Select other fields.`;
    throw new BifocalError("INTERNAL", problem);
  }
  if ("each" in form) {
    const { each } = form;
    if (Array.isArray(value)) return value.map((one) => decodeValue(each, one, place));
    return mapValues(value, (_, one) => decodeValue(each, one, place));
  }
  return mapValues(value, (name, one) => decodeValue(form.members[name], one, place));
}
