import { randomUUID } from "node:crypto";

/** Makes a field's value on the server. No input may carry the field. */
export interface Generator<T> {
  readonly "~bifocal": "generator";
  /** `create`: made once. `write`: made anew at every change as well. `store`: the store counts. */
  readonly when: "create" | "write" | "store";
  readonly make: () => T;
}

/** Any value of your own, made when a row is created. */
export function generate<T>(make: () => T): Generator<T> {
  return { "~bifocal": "generator", when: "create", make };
}

/** A random UUID, version 4 (RFC 9562). */
export function uuid(): Generator<string> {
  return generate<string>(randomUUID);
}

/** The moment of creation, RFC 3339 in UTC with milliseconds. */
export function now(): Generator<string> {
  return generate(() => new Date().toISOString());
}

/** The moment of the last change, RFC 3339 in UTC with milliseconds. */
export function updatedNow(): Generator<string> {
  return { ...now(), when: "write" };
}

/** The next integer, counted by the store from 1. */
export function sequence(): Generator<number> {
  return {
    "~bifocal": "generator",
    when: "store",
    make: () => {
      throw new Error("The store generates the values of a sequence. Don't call its generator.");
    },
  };
}
