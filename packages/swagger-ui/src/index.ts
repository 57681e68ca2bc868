import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { ReferencePage } from "@bifocal/core";
import { FILES } from "./files.ts";
import { page } from "./page.ts";
import { START } from "./start.ts";

/** Nothing from elsewhere and nothing inline but the style attributes that Swagger UI sets (CSP Level 3). */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Swagger UI at `/docs`, with all its files from your own server: it works without a network.
 *
 * @example defineApi({ resources, docs: swaggerUi() });
 */
export function swaggerUi(): ReferencePage {
  const files = Object.entries(FILES).map(([name, { file, contentType }]) => {
    return [name, { contentType, body: () => readAsset(file) }] as const;
  });
  return {
    page,
    headers: { "Content-Security-Policy": POLICY, "Referrer-Policy": "same-origin" },
    assets: {
      ...Object.fromEntries(files),
      "swagger-start.js": { contentType: "text/javascript; charset=utf-8", body: START },
    },
  };
}

/** Of the package once it is built; of the dependency that it is built from before. */
function readAsset(file: string): Uint8Array {
  try {
    return readFileSync(fileURLToPath(new URL(`./assets/${file}`, import.meta.url)));
  } catch {
    return readFileSync(createRequire(import.meta.url).resolve(`swagger-ui-dist/${file}`));
  }
}
