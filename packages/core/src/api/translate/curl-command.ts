import { quoteShell } from "../../util/quote-shell.ts";
import type { RestForm } from "./translation.ts";

interface CurlOptions {
  readonly credentials?: Readonly<Record<string, string>>;
  /** Between the parts of the command. */
  readonly separator?: string;
}

/**
 * Prints a REST request as a command for a shell. `base` is the URL at which the API is mounted. `credentials` are headers
 * with variables of the shell, such as `$TOKEN`.
 */
export function curlCommand(
  { method, url, headers, body }: RestForm,
  base: string,
  { credentials = {}, separator = " " }: CurlOptions = {},
): string {
  // Without `-g`, curl expands brackets in URLs.
  const parts = /[[\]{}]/.test(url) ? ["curl -g"] : ["curl"];
  if (method !== (body === undefined ? "GET" : "POST")) parts.push(`-X ${method}`);
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quoteShell(`${name}: ${value}`)}`);
  for (const [name, value] of Object.entries(credentials)) parts.push(`-H "${name}: ${value}"`);
  if (body !== undefined) parts.push(`-d ${quoteShell(JSON.stringify(body))}`);
  return [...parts, quoteShell(base + url)].join(separator);
}
