import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { ReferencePage } from "@bifocal/core/pages";
import { START } from "./client-bundle.ts";
import { FILES, REDIRECT_FILES } from "./files.ts";
import { type OAuthClient, page } from "./page.ts";

/**
 * Allows only the API's own files, and no inline code except the style attributes that Swagger UI sets (CSP Level 3).
 */
const policy = (servers: readonly string[]): string =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src ${["'self'", ...servers].join(" ")}; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export type { OAuthClient } from "./page.ts";

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
export function swaggerUi({ oauth }: SwaggerUiOptions = {}): ReferencePage {
  const served = oauth === undefined ? FILES : { ...FILES, ...REDIRECT_FILES };
  const files = Object.entries(served).map(([name, { file, contentType }]) => {
    return [name, { contentType, body: () => readAsset(file) }] as const;
  });
  return {
    page: (view) => page(view, oauth),
    headers: {
      "Content-Security-Policy": policy(oauth === undefined ? [] : [new URL(oauth.server).origin]),
      "Referrer-Policy": "same-origin",
    },
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
