import { createHash } from "../runtime/crypto.ts";
import type { Authentication } from "../auth/authentication.ts";
import { COOKIE } from "../auth/credential-headers.ts";
import type { Caller } from "../operation/run.ts";
import type { HttpRequest } from "../message/message.ts";

/**
 * Returns a digest of the caller and its credential. For an anonymous caller, the digest identifies the address.
 * Requests with the same digest may share an event stream.
 */
export type ClientDigest = (
  request: Pick<HttpRequest, "headers">,
  caller: Pick<Caller, "principal" | "address">,
) => string;

export function createClientDigest({ headers, schemes }: Pick<Authentication, "headers" | "schemes">): ClientDigest {
  const names = headers.filter((name) => name !== COOKIE).map((name) => name.toLowerCase());
  // Other cookies may change while the caller stays the same. If no scheme names a cookie, the digest relies on the
  // principal.
  const cookies = Object.values(schemes).flatMap(({ type, in: place, name }) =>
    type === "apiKey" && place === "cookie" ? [String(name)] : [],
  );
  return (request, { principal, address }) => {
    const parts =
      principal === null
        ? [address ?? null]
        : [
            principal.id,
            principal.claims?.["iss"] ?? null,
            principal.roles?.toSorted() ?? [],
            principal.scopes?.toSorted() ?? [],
            ...names.map((name) => request.headers[name] ?? null),
            ...cookies.map((name) => cookieValues(String(request.headers["cookie"] ?? ""), name)),
          ];
    return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
  };
}

function cookieValues(header: string, name: string): readonly string[] {
  return header.split(";").flatMap((part) => {
    const [key = "", ...value] = part.split("=");
    return key.trim() === name ? [value.join("=").trim()] : [];
  });
}
