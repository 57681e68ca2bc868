import { DefinitionError } from "../errors/definition-error.ts";
import type { Authenticator } from "./authenticator.ts";

export const AUTHORIZATION = "Authorization";
export const COOKIE = "Cookie";

/** The spelling that other code compares with. */
const SPELLINGS: ReadonlyMap<string, string> = new Map(
  [AUTHORIZATION, COOKIE, "X-API-Key"].map((name) => [name.toLowerCase(), name]),
);

/** A field name (RFC 9110 §5.1). */
const FIELD_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * Returns the headers that each authenticator reads. Header names are case-insensitive, so they are normalized here,
 * and all other code can compare them with `===`. Throws a `DefinitionError` for an invalid name.
 */
export function credentialHeaders(authenticators: readonly Authenticator[]): readonly (readonly string[])[] {
  const spellings = new Map(SPELLINGS);
  const spelled = (name: string): string => {
    if (!FIELD_NAME.test(name)) throw notAHeader(name);
    const key = name.toLowerCase();
    const known = spellings.get(key) ?? name;
    spellings.set(key, known);
    return known;
  };
  return authenticators.map((one) => [...new Set(headersOf(one).map(spelled))]);
}

/** If an authenticator declares neither headers nor schemes, it may read `Authorization` or `Cookie`. */
function headersOf({ headers, schemes }: Authenticator): readonly string[] {
  const cookies = Object.values(schemes).some(({ type, in: place }) => type === "apiKey" && place === "cookie");
  // A scheme in a cookie is always protected as a cookie, whatever `headers` lists.
  if (headers !== undefined) return cookies ? [...headers, COOKIE] : headers;
  const named = Object.values(schemes).map((scheme) => {
    if (scheme["type"] !== "apiKey") return AUTHORIZATION;
    return scheme["in"] === "cookie" ? COOKIE : String(scheme["name"]);
  });
  return named.length === 0 ? [AUTHORIZATION, COOKIE] : named;
}

function notAHeader(name: string): DefinitionError {
  const problem = `'${name}' is not a valid header name.`;
  const fix = 'List names such as "Authorization" or "Cookie" in `headers`.';
  return new DefinitionError([{ at: "auth", problem, fix }]);
}
