import { type OAuthClient, type ReferenceView, writeReferencePage } from "@bifocal/core/pages";
import { SCALAR_VERSION } from "./version.ts";

/** The page to which an authorization server redirects. The page that opened it reads the code from its URL. */
export const REDIRECT_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Signing in</title>
<p>Signing in. This window closes when it is done.</p>
`;

interface Settings {
  readonly mark: string | undefined;
  readonly color: string | undefined;
  readonly client: OAuthClient | undefined;
}

/** The mark of the HTML pages. */
const PILL =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M5 4h3v8H5a4 4 0 010-8z' fill='%230f766e'/%3E%3Cpath d='M8 4h3a4 4 0 010 8H8z' fill='%2386198f'/%3E%3C/svg%3E";

export function page(view: ReferenceView, { mark = PILL, color, client }: Settings): string {
  return writeReferencePage(view, {
    icon: mark,
    styles: ["scalar.css"],
    scripts: [`scalar.js?v=${SCALAR_VERSION}`, "scalar-start.js"],
    data: { color },
    client,
  });
}
