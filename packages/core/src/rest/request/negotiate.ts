import Negotiator from "negotiator";

const JSON_API = "application/vnd.api+json";

/**
 * Returns the offered type that the client prefers (RFC 9110 §12.5.1), the first of several equal ones. Returns
 * undefined if the client accepts no offered type. All types are in UTF-8, so a requested charset of UTF-8 is ignored.
 */
export function negotiate(
  accept: string | readonly string[] | undefined,
  offered: readonly string[],
): string | undefined {
  if (accept === undefined || accept === "*/*" || accept === offered[0]) return offered[0];
  const header = String(accept).trim();
  if (header === "") return offered[0];
  return new Negotiator({ headers: { accept: withoutParameters(header) } }).mediaType([...offered]);
}

/**
 * JSON:API types keep a charset, which JSON:API rejects, and lose their profiles, which must be ignored (JSON:API 1.1
 * §5.3).
 */
function withoutParameters(header: string): string {
  return header
    .split(",")
    .map((range) =>
      range.trim().toLowerCase().startsWith(JSON_API)
        ? range.replace(/;\s*profile\s*=\s*("[^"]*"|[^;]*)/gi, "")
        : range.replace(/;\s*charset\s*=\s*"?utf-?8"?/gi, ""),
    )
    .join(",");
}
