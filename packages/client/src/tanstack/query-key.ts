import type { ClientDescription, ClientResource } from "@bifocal/core";
import { isPlainObject } from "../plain-object.ts";
import type { RecordedCall } from "./record-call.ts";

/** The first member of all query keys and mutation keys. */
export const SCOPE = "bifocal";

/** `["bifocal", "book", "list", { filter: … }]`: the resource, the method and its arguments. */
export type BifocalKey = readonly [scope: typeof SCOPE, resource: string, ...rest: readonly unknown[]];

/** Returns the key of a call. Calls with the same arguments have the same key. */
export function keyOfCall({ path: [resource = "", ...names], args }: RecordedCall): BifocalKey {
  // Keys must be JSON, which has no bigints.
  const text = JSON.stringify(args, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
  return [SCOPE, resource, ...names, ...(JSON.parse(text) as unknown[])];
}

/** Whether the call of a key reads rows of a resource, itself or along relations. */
export function readsResource({ resources }: ClientDescription, key: readonly unknown[], name: string): boolean {
  const reaches = (resource: ClientResource | undefined, part: unknown): boolean => {
    if (Array.isArray(part)) return part.some((one) => reaches(resource, one));
    if (typeof part === "string") {
      const [first = ""] = part.replace(/^-/, "").split(".");
      return part.includes(".") && resource?.relations[first]?.to === name;
    }
    if (!isPlainObject(part)) return false;
    return Object.entries(part).some(([member, value]) => {
      const to = resource?.relations[member]?.to;
      return to === undefined ? reaches(resource, value) : to === name || reaches(resources[to], value);
    });
  };
  const [scope, own, ...args] = key;
  return scope === SCOPE && (own === name || reaches(resources[String(own)], args));
}
