import { readFileSync } from "node:fs";

/** Version of this package. Source and build are at the same depth in it. */
export function version(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}
