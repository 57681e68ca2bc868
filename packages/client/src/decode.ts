import type { ClientResource, Conversion } from "@bifocal/core";
import { BifocalError } from "./client-error.ts";
import { mapValues } from "./map-values.ts";

export function decodeField({ name: of, fields }: ClientResource, name: string, value: unknown): unknown {
  const { form, isNumericId } = fields[name] ?? {};
  // The text of an id in GraphQL, or of a key in a URL.
  return !form && isNumericId && value ? Number(value) : decodeValue(form, value, `${of}.${name}`);
}

export function decodeValue(form: Conversion | undefined, value: unknown, place: string): unknown {
  if (!form || value === null || value === undefined) return value;
  if (form === "date") return new Date(value as string);
  if (form === "bigint") return BigInt(value as string);
  if (form === "codec") throw new BifocalError("INTERNAL", `'${place}' has a codec. Select other fields.`);
  if ("each" in form) {
    const { each } = form;
    if (Array.isArray(value)) return value.map((one) => decodeValue(each, one, place));
    return mapValues(value, (_, one) => decodeValue(each, one, place));
  }
  return mapValues(value, (name, one) => decodeValue(form.members[name], one, place));
}
