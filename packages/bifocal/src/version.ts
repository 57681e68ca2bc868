import { readFileSync } from "node:fs";

/** Of this package. Source and build lie at the same depth in it. */
export function version(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}
