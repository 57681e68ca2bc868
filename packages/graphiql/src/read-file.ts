import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { FileName } from "./files.ts";

type Bundle = () => { readonly files: ReadonlyMap<string, Uint8Array> };
let bundled: ReadonlyMap<string, Uint8Array> | undefined;

/**
 * Reads a file of the built package. In this repository, the files are built on the first request, which takes some
 * seconds.
 */
export function readFile(name: FileName): Uint8Array {
  try {
    return readFileSync(fileURLToPath(new URL(`./assets/${name}`, import.meta.url)));
  } catch (missing) {
    if (!import.meta.url.endsWith("/src/read-file.ts")) throw missing;
    const { bundle } = createRequire(import.meta.url)("../bundle.ts") as { readonly bundle: Bundle };
    bundled ??= bundle().files;
    return bundled.get(name) as Uint8Array;
  }
}
