import { MARK_ICON, type OAuthClient, type ReferenceView, writeReferencePage } from "@bifocal/core/pages";
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

export function page(view: ReferenceView, { mark = MARK_ICON, color, client }: Settings): string {
  return writeReferencePage(view, {
    icon: mark,
    styles: ["scalar.css"],
    scripts: [`scalar.js?v=${SCALAR_VERSION}`, "scalar-start.js"],
    data: { color },
    client,
  });
}
