import { readFileSync } from "node:fs";

interface Manifest {
  readonly version: string;
  /** Such as `>=22.18`. */
  readonly engines: { readonly node: string };
}

/** Returns the package.json of this package. Source and build are at the same depth in it. */
export function manifest(): Manifest {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as Manifest;
}

/** Version of this package. */
export function version(): string {
  return manifest().version;
}
