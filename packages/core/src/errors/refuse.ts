import { BifocalError } from "./bifocal-error.ts";

/** Where in a request something stands: `["filter", "price", "gte"]`. */
export type Path = readonly (string | number)[];

/** Refuses a request that cannot be lowered: BAD_REQUEST with one issue at `path`. */
export function refuse(path: Path, code: string, message: string): never {
  throw new BifocalError("BAD_REQUEST", message, { issues: [{ path, message, code }] });
}

const NAME_LENGTH = 60;

/** A name as the caller wrote it, in quotes, cut where somebody sent a novel. */
export function quote(name: unknown): string {
  const text = String(name);
  return `'${text.length > NAME_LENGTH ? `${text.slice(0, NAME_LENGTH)}…` : text}'`;
}

/** What exists, for the end of a message. */
export function listNames(names: Iterable<string>): string {
  const text = [...names].join(", ");
  return text === "" ? "none" : text;
}

/** An object literal, or one without a prototype: not a list, a `Date` or another class. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
