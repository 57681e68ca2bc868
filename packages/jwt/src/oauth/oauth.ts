import { bearerToken, challengeOf } from "@bifocal/core/authenticator";
import type { z } from "zod";
import { checkAlgorithms, type JwtAlgorithm } from "../jwt/algorithms.ts";
import { checkTolerance, type TokenAuthenticator } from "../jwt/jwt.ts";
import { type JwksTimes, remoteKeys } from "../jwt/remote-keys.ts";
import { createTokenCaller, type TokenCallerOptions } from "../jwt/token-caller.ts";
import { claimedIssuer, isJwt, verifyToken } from "../jwt/verify-token.ts";
import { checkUrl } from "../outbound/check-url.ts";
import { discover } from "./discover.ts";
import { createIntrospect, type IntrospectionOptions } from "./introspect.ts";
import { METADATA_PATH, protectedResource } from "./protected-resource.ts";

export interface OAuthOptions<Claims extends z.ZodType> extends TokenCallerOptions<Claims> {
  /** The authorization server, as `iss` names it: its metadata (RFC 8414, or OpenID Connect Discovery) says the rest. */
  readonly issuer: string;
  /** The URL that this API is mounted at, which names it to clients (RFC 8707, RFC 9728). */
  readonly resource: string;
  /** What must be in `aud`. Default: `resource`. */
  readonly audience?: string | readonly string[];
  /** How access tokens are signed that are JWTs (RFC 9068). Default: none are taken, and all are introspected. */
  readonly algorithms?: readonly [JwtAlgorithm, ...JwtAlgorithm[]];
  /** How tokens are looked up that are no JWTs (RFC 7662). Default: they are refused. */
  readonly introspection?: IntrospectionOptions;
  /** The scopes that there are, each with what it permits, for clients and OpenAPI. */
  readonly scopes?: Readonly<Record<string, string>>;
  /** How far clocks may be apart, in seconds; 300 at most. Default 30. */
  readonly clockTolerance?: number;
  /** What `typ` of a JWT must be. Default `at+jwt` (RFC 9068 §4); some servers write `JWT`. */
  readonly type?: string;
  /** Hosts beside the issuer's that its metadata may name though they are not in the public internet. */
  readonly hosts?: readonly string[];
  /** Milliseconds for an answer of the authorization server. Default 5,000. */
  readonly timeout?: number;
  readonly jwks?: JwksTimes;
  /** What people call this API. */
  readonly name?: string;
  /** Where callers sign in, for OpenAPI. Default: what the issuer's metadata says, which a reader has to look up. */
  readonly endpoints?: { readonly authorizationUrl: string; readonly tokenUrl: string };
}

/**
 * Callers by access tokens of an authorization server. Serves the metadata of RFC 9728 at
 * `/.well-known/oauth-protected-resource`. Throws at once for a configuration that nothing can be verified with.
 *
 * @example
 * oauth({ issuer: "https://id.example.com", resource: "https://api.example.com", algorithms: ["ES256"],
 *         scopes: { "books:write": "Write books" } })
 */
export function oauth<Claims extends z.ZodType = z.ZodUnknown>(
  options: OAuthOptions<Claims>,
): TokenAuthenticator<Claims> {
  const { issuer, resource, algorithms, scopes = {}, hosts = [], timeout = 5_000, clockTolerance = 30 } = options;
  if (algorithms !== undefined) checkAlgorithms(algorithms);
  if (algorithms?.some((one) => one.startsWith("HS"))) throw new Error("A secret is in no public set of keys.");
  if (algorithms === undefined && options.introspection === undefined) {
    throw new Error("'oauth' needs 'algorithms', for tokens that are JWTs, or 'introspection', or both.");
  }
  checkTolerance(clockTolerance);
  const { metadata, metadataUrl } = protectedResource(resource, issuer, scopes, options.name);
  const audiences = [options.audience ?? resource].flat();
  if (audiences.length === 0 || audiences.includes("")) throw new Error("'audience' is to name at least one.");
  const discovery = discover(issuer, hosts, timeout);
  const caller = createTokenCaller<Claims>(options);
  const findKey = remoteKeys(() => discovery.endpoint("jwks_uri"), algorithms ?? [], { timeout, ...options.jwks });
  const types = [(options.type ?? "at+jwt").toLowerCase()];
  const introspect = options.introspection && introspection(options.introspection);

  function introspection({ url, ...given }: IntrospectionOptions): ReturnType<typeof createIntrospect> {
    const named =
      url === undefined ? undefined : { url: checkUrl(url, "'introspection.url'"), origin: "named" as const };
    const endpoint = async () => named ?? discovery.endpoint("introspection_endpoint");
    return createIntrospect({ ...given, endpoint, issuer, audiences, timeout });
  }

  return {
    challenge: challengeOf("Bearer", { resource_metadata: metadataUrl }),
    headers: ["Authorization"],
    documents: { [METADATA_PATH]: metadata },
    schemes: { oauth: schemeOf(options) },
    claimsOf: caller.claimsOf,
    async authenticate(credentials, source) {
      const token = bearerToken(credentials);
      if (token === undefined) return null;
      if (algorithms !== undefined && isJwt(token)) {
        // Of another issuer it is somebody else's to verify; where there is nobody else, it is refused.
        if (claimedIssuer(token) !== issuer) return null;
        const verified = { issuers: [issuer], audiences, algorithms, findKey, types, clockTolerance };
        const claims = await verifyToken(token, verified);
        return caller.toAuthenticated(claims, new Date((claims.exp + clockTolerance) * 1_000));
      }
      if (introspect === undefined) return null;
      const claims = await introspect(token, source);
      const expires = claims.exp === undefined ? undefined : new Date(claims.exp * 1_000);
      return caller.toAuthenticated(claims, expires, () => introspect(token, source));
    },
  };
}

function schemeOf<Claims extends z.ZodType>({ issuer, endpoints, scopes = {} }: OAuthOptions<Claims>) {
  const description = `An access token of ${issuer}.`;
  if (endpoints === undefined) {
    const openIdConnectUrl = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
    return { type: "openIdConnect", openIdConnectUrl, description };
  }
  return { type: "oauth2", description, flows: { authorizationCode: { ...endpoints, scopes } } };
}
