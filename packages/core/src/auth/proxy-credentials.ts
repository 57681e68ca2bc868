import type { Authenticator, Credentials } from "./authenticator.ts";
import { AUTHORIZATION } from "./credential-headers.ts";

/** Schemes of HTTP authentication that browsers send to every page behind a proxy, without the page asking for it. */
const PROXY_SCHEMES: ReadonlySet<string> = new Set(["basic", "digest", "negotiate", "ntlm"]);

/**
 * Returns a function that removes an `Authorization` header that is meant for a proxy in front of the API. Such a header
 * has a scheme like Basic that no authenticator reads. All other credentials are kept, and so is a header that was sent
 * twice, because Node shows only the first value.
 */
export function createWithoutProxyCredentials(
  authenticators: readonly Authenticator[],
  headers: readonly (readonly string[])[],
): (credentials: Credentials) => Credentials {
  const readers = authenticators.filter((_, at) => headers[at]?.includes(AUTHORIZATION) === true);
  const schemes = readers.map(schemesOf);
  // An authenticator that declares no scheme may read any of them.
  if (schemes.some((names) => names.length === 0)) return (credentials) => credentials;
  const read = new Set(schemes.flat());
  return (credentials) => {
    const { authorization } = credentials.headers;
    if (typeof authorization !== "string" || credentials.repeats?.("authorization") === true) return credentials;
    const [scheme = ""] = authorization.toLowerCase().split(" ", 1);
    if (!PROXY_SCHEMES.has(scheme) || read.has(scheme)) return credentials;
    const { connectionParams, raw } = credentials;
    return {
      headers: { ...credentials.headers, authorization: undefined },
      repeats: (name) => credentials.repeats?.(name) === true,
      ...(connectionParams === undefined ? {} : { connectionParams }),
      ...(raw === undefined ? {} : { raw }),
    };
  };
}

/** The schemes of `Authorization` that an authenticator declares, in lower case. */
function schemesOf({ schemes }: Authenticator): readonly string[] {
  return Object.values(schemes).flatMap(({ type, scheme }) => {
    if (type === "http") return [String(scheme).toLowerCase()];
    return type === "oauth2" || type === "openIdConnect" ? ["bearer"] : [];
  });
}
