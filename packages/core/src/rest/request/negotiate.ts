import Negotiator from "negotiator";

const JSON_API = "application/vnd.api+json";

/**
 * The first of the offered types that the client wants most (RFC 9110 §12.5.1); undefined where it wants none. All that
 * is offered is UTF-8, so a client that asks for that asks for nothing more.
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

/** A charset is no part of what JSON:API is asked for by, and refuses it; its profiles are to be ignored (JSON:API 1.1 §5.3). */
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
