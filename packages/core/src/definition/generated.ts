import { createUuid } from "../runtime/create-uuid.ts";
import type { Principal } from "./principal.ts";

/** Creates a field's value on the server. No input can contain the field. */
export interface Generator<T> {
  readonly "~bifocal": "generator";
  /** `create`: when the row is created. `write`: also on every change. `store`: the store counts. */
  readonly when: "create" | "write" | "store";
  readonly make: (context: GeneratorContext) => T;
  /** Whether the value depends on the caller. It is null without one, which the field must then accept. */
  readonly byCaller?: true;
}

/** The context of a generated value. */
export interface GeneratorContext {
  readonly principal: Principal | null;
}

/** Generates a custom value when a row is created. */
export function generate<T>(make: () => T): Generator<T> {
  return { "~bifocal": "generator", when: "create", make };
}

/** Generates a random UUID, version 4 (RFC 9562). */
export function uuid(): Generator<string> {
  return generate<string>(createUuid);
}

/** Generates the time of creation in RFC 3339 format, in UTC with milliseconds. */
export function now(): Generator<string> {
  return generate(() => new Date().toISOString());
}

/** Generates the time of the last change in RFC 3339 format, in UTC with milliseconds. */
export function updatedNow(): Generator<string> {
  return { ...now(), when: "write" };
}

/**
 * Generates the id of the caller, for fields such as `createdBy`. With `on: "update"` it is set again on every change.
 * Without a caller the value is null, or the write fails if the field can't be null. For system calls, see docs/resources.md.
 */
export function principalId({ on = "create" }: { readonly on?: "create" | "update" } = {}): Generator<string> {
  const make = ({ principal }: GeneratorContext): string => principal?.id as string;
  return { "~bifocal": "generator", when: on === "update" ? "write" : "create", make, byCaller: true };
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
