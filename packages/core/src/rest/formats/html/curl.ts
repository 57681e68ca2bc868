import type { Json } from "../../../util/json.ts";

/** Prints a request for the JSON of a page. The script completes the host and the credential. */
export function curlOf(url: string): string {
  return `curl -g -H 'Accept: application/json' ${quoted(url)}`;
}

export function curlToCreate(url: string, input: Json): string {
  const body = JSON.stringify(input).replaceAll("'", "\\u0027");
  return `curl -H 'Content-Type: application/json' -d '${body}' ${quoted(url)}`;
}

/** Inside single quotes, a shell only interprets single quotes. */
function quoted(url: string): string {
  return `'${url.replaceAll("'", "%27")}'`;
}
