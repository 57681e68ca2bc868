import type { RestForm } from "./translation.ts";

/** Prints a REST request as a command for a shell. `base` is the URL at which the API is mounted. */
export function curlCommand({ method, url, headers, body }: RestForm, base: string): string {
  // Without `-g`, curl expands brackets in URLs.
  const parts = /[[\]{}]/.test(url) ? ["curl -g"] : ["curl"];
  if (method !== (body === undefined ? "GET" : "POST")) parts.push(`-X ${method}`);
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quote(`${name}: ${value}`)}`);
  if (body !== undefined) parts.push(`-d ${quote(JSON.stringify(body))}`);
  return [...parts, quote(base + url)].join(" ");
}

/** Quotes text for POSIX shells. Inside single quotes, only single quotes have a meaning. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
