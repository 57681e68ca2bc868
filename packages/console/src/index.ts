import { checkCallOptions } from "@bifocal/core/internal";
import type { ConsolePage } from "@bifocal/core/pages";
import { CONSOLE_CSS, CONSOLE_JS } from "./client-bundle.ts";
import { page } from "./page.ts";

/** Allows only the API's own files, and no inline code (CSP Level 3). */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The appearance of the console. */
export interface ConsoleOptions {
  /** The name beside the mark. Default: the title of the API. */
  readonly name?: string;
  /** CSS after that of the page. It can set the custom properties in `:root`, such as `--accent` and `--page`. */
  readonly css?: string;
}

/**
 * Serves the console at `/console`, with all its files from your own server, so that it works without internet access.
 *
 * @example defineApi({ resources, console: apiConsole() });
 */
export function apiConsole(options: ConsoleOptions = {}): ConsolePage {
  checkCallOptions("apiConsole", options, { name: "a string", css: "a string" });
  const { name, css = "" } = options;
  return {
    page: (view) => page(name === undefined ? view : { ...view, title: name }),
    headers: { "Content-Security-Policy": POLICY, "Referrer-Policy": "no-referrer" },
    assets: {
      "console.css": { contentType: "text/css; charset=utf-8", body: CONSOLE_CSS + css },
      "console.js": { contentType: "text/javascript; charset=utf-8", body: CONSOLE_JS },
    },
  };
}
