import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { checkCallOptions } from "@bifocal/core/internal";
import {
  MARK_ICON,
  type OAuthClient,
  type ReferencePage,
  referenceHeaders,
  writeReferencePage,
} from "@bifocal/core/pages";
import { START } from "./client-bundle.ts";
import { FILES, REDIRECT_FILES } from "./files.ts";

export type { OAuthClient } from "@bifocal/core/pages";

export interface SwaggerUiOptions {
  /**
   * Lets users sign in on the page with the authorization code flow and PKCE, for an API with `oauth()`. Register a
   * public client with the redirect URI `<URL of the API>/-/oauth2-redirect.html`. `server` is the origin from which
   * the page may request tokens.
   */
  readonly oauth?: OAuthClient & { readonly server: string };
}

/**
 * Serves Swagger UI at `/docs`, with all its files from your own server, so that it works without internet access.
 *
 * @example defineApi({ resources, docs: swaggerUi() });
 */
export function swaggerUi(options: SwaggerUiOptions = {}): ReferencePage {
  checkCallOptions("swaggerUi", options, { oauth: "an object" });
  const { oauth } = options;
  const served = oauth === undefined ? FILES : { ...FILES, ...REDIRECT_FILES };
  const files = Object.entries(served).map(([name, { file, contentType }]) => {
    return [name, { contentType, body: () => readAsset(file) }] as const;
  });
  return {
    page: (view) =>
      writeReferencePage(view, {
        icon: MARK_ICON,
        styles: ["swagger-ui.css"],
        scripts: ["swagger-ui.js", "swagger-start.js"],
        client: oauth,
      }),
    headers: referenceHeaders(oauth?.server),
    assets: {
      ...Object.fromEntries(files),
      "swagger-start.js": { contentType: "text/javascript; charset=utf-8", body: START },
    },
  };
}

/** Reads a file of the built package. Without a build, reads it from the dependency. */
function readAsset(file: string): Uint8Array {
  try {
    return readFileSync(fileURLToPath(new URL(`./assets/${file}`, import.meta.url)));
  } catch {
    return readFileSync(createRequire(import.meta.url).resolve(`swagger-ui-dist/${file}`));
  }
}
