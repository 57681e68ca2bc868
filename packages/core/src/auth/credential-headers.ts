import type { Authenticator } from "./authenticator.ts";

/** The request headers that say who calls, each once: what answers of a kind depend on (RFC 9110 §12.5.5). */
export function credentialHeaders(authenticators: readonly Authenticator[]): readonly string[] {
  return [...new Set(authenticators.flatMap(headersOf))];
}

/** One that says nothing may look at either of the two that browsers and clients know. */
function headersOf({ headers, schemes }: Authenticator): readonly string[] {
  if (headers !== undefined) return headers;
  const named = Object.values(schemes).map((scheme) => {
    if (scheme["type"] !== "apiKey") return "Authorization";
    return scheme["in"] === "cookie" ? "Cookie" : String(scheme["name"]);
  });
  return named.length === 0 ? ["Authorization", "Cookie"] : named;
}
