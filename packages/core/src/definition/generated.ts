import { randomUUID } from "node:crypto";

/** Creates a field's value on the server. No input can contain the field. */
export interface Generator<T> {
  readonly "~bifocal": "generator";
  /** `create`: when the row is created. `write`: also on every change. `store`: the store counts. */
  readonly when: "create" | "write" | "store";
  readonly make: () => T;
}

/** Generates a custom value when a row is created. */
export function generate<T>(make: () => T): Generator<T> {
  return { "~bifocal": "generator", when: "create", make };
}

/** Generates a random UUID, version 4 (RFC 9562). */
export function uuid(): Generator<string> {
  return generate<string>(randomUUID);
}

/** Generates the time of creation in RFC 3339 format, in UTC with milliseconds. */
export function now(): Generator<string> {
  return generate(() => new Date().toISOString());
}

/** Generates the time of the last change in RFC 3339 format, in UTC with milliseconds. */
export function updatedNow(): Generator<string> {
  return { ...now(), when: "write" };
}

/** Generates the next integer. The store counts from 1. */
export function sequence(): Generator<number> {
  return {
    "~bifocal": "generator",
    when: "store",
    make: () => {
      throw new Error("The store generates the values of a sequence. Don't call its generator.");
    },
  };
}
