import { BifocalError } from "./bifocal-error.ts";

/** A location in a request: `["filter", "price", "gte"]`. */
export type Path = readonly (string | number)[];

/** Rejects a request that can't be lowered: throws BAD_REQUEST with one issue at `path`. */
export function refuse(path: Path, code: string, message: string): never {
  throw new BifocalError("BAD_REQUEST", message, { issues: [{ path, message, code }] });
}

const NAME_LENGTH = 60;

/** Quotes a name from the request, shortened if it is long. */
export function quote(name: unknown): string {
  const text = String(name);
  return `'${text.length > NAME_LENGTH ? `${text.slice(0, NAME_LENGTH)}…` : text}'`;
}

/** Joins the available names for the end of a message. */
export function listNames(names: Iterable<string>): string {
  const text = [...names].join(", ");
  return text === "" ? "none" : text;
}

/** Whether a value is an object literal or has no prototype: not a list, a `Date` or an instance of another class. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
