import { BifocalError } from "./client-error.ts";

/** The versions of rows that calls returned. */
export interface Versions {
  readonly remember: (row: object, version: string) => void;
  /** Returns the texts of `ifMatch`. Throws BAD_REQUEST for a row whose version isn't known. */
  readonly read: (ifMatch: unknown) => readonly string[] | undefined;
}

export function createVersions(): Versions {
  const known = new WeakMap<object, string>();
  function versionOf(given: unknown): string {
    const found = typeof given === "string" ? given : known.get(given as object);
    if (found !== undefined) return found;
    throw new BifocalError("BAD_REQUEST", "The version isn't known. Pass a row of 'get', a write or an action.");
  }
  return {
    remember: (row, version) => void known.set(row, version),
    read(ifMatch) {
      if (ifMatch === undefined) return undefined;
      return (Array.isArray(ifMatch) ? ifMatch : [ifMatch]).map(versionOf);
    },
  };
}

export function quoteVersion(version: string): string {
  return version === "*" ? version : `"${version}"`;
}
