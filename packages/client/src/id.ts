import type { ClientResource } from "@bifocal/core";
import { decodeField } from "./decode.ts";
import { isPlainObject } from "./plain-object.ts";

/** Formats an id for URLs and GraphQL: percent-encoded parts, joined by commas. */
export function formatId({ key }: ClientResource, id: unknown): string {
  const parts = key.length > 1 && isPlainObject(id) ? key.map((name) => id[name]) : [id];
  return parts.map(writeScalar).join(",");
}

/** Writes a value that isn't a list or an object as a part of a URL. */
export function writeScalar(value: unknown): string {
  return encodeURIComponent(value instanceof Date ? value.toJSON() : String(value));
}

/** Returns an id as calls receive it: the value of the key, or an object if the key has several fields. */
export function parseId(resource: ClientResource, id: string | number): unknown {
  const { key } = resource;
  const parts = key.length === 1 ? [id] : String(id).split(",").map(decodeURIComponent);
  const values = key.map((name, index) => [name, decodeField(resource, name, parts[index])] as const);
  return values.length === 1 ? values[0]?.[1] : Object.fromEntries(values);
}
