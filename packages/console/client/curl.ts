import { credentialTemplate } from "./credential.ts";
import { PREFIX } from "./elements.ts";
import type { RestForm } from "./translate.ts";

/** Prints a request for a terminal, with the host and a placeholder for the credential. */
export function curlOf({ method, url, headers, body }: RestForm): string {
  const template = credentialTemplate();
  const type = body === undefined ? {} : { "Content-Type": "application/json" };
  const lines = Object.entries({ Accept: "application/json", ...type, ...headers });
  return [
    "curl -g",
    ...(method === "GET" ? [] : [`-X ${method}`]),
    ...lines.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    // The shell replaces the placeholder only between double quotes.
    ...(template === undefined ? [] : [`-H "${template}"`]),
    ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(body))}`]),
    quoted(`${location.origin}${PREFIX}${url}`),
  ].join(" \\\n  ");
}

/** Inside single quotes, a shell only interprets single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
