import { checkCallOptions } from "@bifocal/core/internal";
import { type OAuthClient, type ReferencePage, referenceHeaders } from "@bifocal/core/pages";
import { SCALAR_CSS, START } from "./client-bundle.ts";
import { page, REDIRECT_PAGE } from "./page.ts";
import { readScript } from "./read-script.ts";

const COLOR = /^#[\da-f]{6}$/i;

export type { OAuthClient } from "@bifocal/core/pages";

export interface ScalarOptions {
  /** The URL of an image, on this host or as `data:`. Default: a pill in the colors of both styles. */
  readonly mark?: string;
  /** The color of links and buttons, as `#rrggbb`. Adjusted until it is readable in light and dark mode. */
  readonly color?: string;
  /**
   * Lets users sign in on the page with the authorization code flow and PKCE, for an API with `oauth()`. Register a
   * public client with the redirect URI `<URL of the API>/-/oauth2-redirect.html`. `server` is the origin from which
   * the page may request tokens.
   */
  readonly oauth?: OAuthClient & { readonly server: string };
}

/**
 * Serves Scalar at `/docs`, with all its files from your own server, so that it works without internet access.
 *
 * @example defineApi({ resources, docs: scalar() });
 */
export function scalar(options: ScalarOptions = {}): ReferencePage {
  checkCallOptions("scalar", options, { mark: "a string", color: true, oauth: "an object" });
  const { mark, color, oauth } = options;
  if (color !== undefined && !COLOR.test(color))
    throw new TypeError(`options.color must be a color such as '#0b57d0'; received '${color}'.`);
  return {
    page: (view) => page(view, { mark, color, client: oauth }),
    headers: referenceHeaders(oauth?.server),
    assets: {
      "scalar.js": { contentType: "text/javascript; charset=utf-8", body: readScript },
      "scalar.css": { contentType: "text/css; charset=utf-8", body: SCALAR_CSS },
      "scalar-start.js": { contentType: "text/javascript; charset=utf-8", body: START },
      ...(oauth === undefined
        ? {}
        : { "oauth2-redirect.html": { contentType: "text/html; charset=utf-8", body: REDIRECT_PAGE } }),
    },
  };
}
