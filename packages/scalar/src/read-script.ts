import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

type ReadScalar = () => { readonly script: string };

/** Reads Scalar's script from the built package. In this repository, takes it from the dependency. */
export function readScript(): Uint8Array | string {
  try {
    return readFileSync(fileURLToPath(new URL("./assets/scalar.js", import.meta.url)));
  } catch (missing) {
    if (!import.meta.url.endsWith("/src/read-script.ts")) throw missing;
    const { readScalar } = createRequire(import.meta.url)("../bundle.ts") as { readonly readScalar: ReadScalar };
    return readScalar().script;
  }
}
