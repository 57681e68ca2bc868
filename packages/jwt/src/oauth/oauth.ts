import { bearerToken, challengeOf } from "@bifocal/core/authenticator";
import { checkCallOptions, checkRequired, type CallOptionKinds } from "@bifocal/core/internal";
import type { z } from "zod";
import { checkAlgorithms, type JwtAlgorithm } from "../jwt/algorithms.ts";
import { checkTolerance, type TokenAuthenticator } from "../jwt/jwt.ts";
import { type JwksTimes, remoteKeys } from "../jwt/remote-keys.ts";
import { createTokenCaller, type TokenCallerOptions } from "../jwt/token-caller.ts";
import { claimedIssuer, isJwt, verifyToken } from "../jwt/verify-token.ts";
import { checkUrl } from "../outbound/check-url.ts";
import type { Fetch } from "../outbound/request-by-fetch.ts";
import { discover } from "./discover.ts";
import { createIntrospect, type IntrospectionOptions } from "./introspect.ts";
import { METADATA_PATH, protectedResource } from "./protected-resource.ts";

export interface OAuthOptions<Claims extends z.ZodType> extends TokenCallerOptions<Claims> {
  /** The authorization server, exactly as in `iss`. Its metadata (RFC 8414 or OpenID Connect Discovery) contains the endpoints. */
  readonly issuer: string;
  /** The URL of this API, which identifies it to clients (RFC 8707, RFC 9728). */
  readonly resource: string;
  /** `aud` must contain one of these values. Default: `resource`. */
  readonly audience?: string | readonly string[];
  /** The accepted signature algorithms of JWT access tokens (RFC 9068). Default: none, so all tokens are introspected. */
  readonly algorithms?: readonly [JwtAlgorithm, ...JwtAlgorithm[]];
  /** How to introspect opaque tokens (RFC 7662). Default: they are rejected. */
  readonly introspection?: IntrospectionOptions;
  /** The scopes of this API with their descriptions, for clients and OpenAPI. */
  readonly scopes?: Readonly<Record<string, string>>;
  /** Maximum difference between clocks, in seconds. At most 300. Default: 30. */
  readonly clockTolerance?: number;
  /** The required `typ` of a JWT. Default: `at+jwt` (RFC 9068 §4). Some servers send `JWT`. */
  readonly type?: string;
  /** Hosts outside the public internet that the metadata may name, in addition to the issuer's. */
  readonly hosts?: readonly string[];
  /** Timeout of requests to the authorization server, in milliseconds. Default: 5,000. */
  readonly timeout?: number;
  /**
   * Requests documents of the authorization server, on hosts whose `node:http` lacks the option `lookup`, such as workerd.
   * The host must then refuse addresses outside the public internet itself. Default: `node:http`, whose addresses are
   * checked.
   */
  readonly fetch?: Fetch;
  readonly jwks?: JwksTimes;
  /** The name of this API, for people. */
  readonly name?: string;
  /** The URLs for signing in, for OpenAPI. Default: OpenAPI links to the issuer's metadata instead. */
  readonly endpoints?: { readonly authorizationUrl: string; readonly tokenUrl: string };
}

const OPTIONS: CallOptionKinds<OAuthOptions<z.ZodType>> = {
  issuer: "a string",
  resource: "a string",
  audience: true,
  algorithms: true,
  introspection: "an object",
  scopes: "an object",
  clockTolerance: true,
  type: "a string",
  hosts: "a list of strings",
  timeout: "a number of at least 0",
  fetch: "a function",
  jwks: "an object",
  name: "a string",
  endpoints: "an object",
  claims: "an object",
  principal: "a function",
  isActive: "a function",
};

/**
 * Returns an authenticator for access tokens of an authorization server. Serves the metadata of RFC 9728 at
 * `/.well-known/oauth-protected-resource`. Throws if no token could be verified with the given options.
 *
 * @example
 * oauth({ issuer: "https://id.example.com", resource: "https://api.example.com", algorithms: ["ES256"],
 *         scopes: { "books:write": "Write books" } })
 */
export function oauth<Claims extends z.ZodType = z.ZodUnknown>(
  options: OAuthOptions<Claims>,
): TokenAuthenticator<Claims> {
  checkCallOptions("oauth", options, OPTIONS);
  checkRequired("oauth", "issuer", options.issuer, '{ issuer: "https://id.example.com" }');
  checkRequired("oauth", "resource", options.resource, '{ resource: "https://api.example.com" }');
  const {
    issuer,
    resource,
    algorithms,
    scopes = {},
    hosts = [],
    timeout = 5_000,
    clockTolerance = 30,
    fetch,
  } = options;
  if (algorithms !== undefined) checkAlgorithms(algorithms);
  if (algorithms?.some((one) => one.startsWith("HS")))
    throw new Error("A public set of keys contains no secrets. Remove the HS algorithms from 'algorithms'.");
  if (algorithms === undefined && options.introspection === undefined) {
    throw new Error(
      "oauth() requires 'algorithms' (for JWT access tokens), 'introspection' (for opaque ones), or both.",
    );
  }
  checkTolerance(clockTolerance);
  const { metadata, metadataUrl } = protectedResource(resource, issuer, scopes, options.name);
  const audiences = [options.audience ?? resource].flat();
  if (audiences.length === 0 || audiences.includes(""))
    throw new Error("'audience' must be a string or a list of strings, and not empty.");
  const discovery = discover(issuer, hosts, { timeout, fetch });
  const caller = createTokenCaller<Claims>(options);
  const findKey = remoteKeys(
    () => discovery.endpoint("jwks_uri"),
    algorithms ?? [],
    { timeout, ...options.jwks },
    fetch,
  );
  const types = [(options.type ?? "at+jwt").toLowerCase()];
  const introspect = options.introspection && introspection(options.introspection);

  function introspection({ url, ...given }: IntrospectionOptions): ReturnType<typeof createIntrospect> {
    const named =
      url === undefined ? undefined : { url: checkUrl(url, "'introspection.url'"), origin: "named" as const };
    const endpoint = async () => named ?? discovery.endpoint("introspection_endpoint");
    return createIntrospect({ ...given, endpoint, issuer, audiences, timeout, fetch });
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
        // A token of another issuer may belong to the next authenticator. If none accepts it, the request is rejected.
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
