// Bundles the browser code of the pages: `npm run bundle`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUNDLES } from "./bundles.ts";
import { writeBundle } from "./write-bundle.ts";

for (const bundle of BUNDLES) {
  writeFileSync(join(import.meta.dirname, "../..", bundle.output), writeBundle(bundle));
  console.log(bundle.output);
}
