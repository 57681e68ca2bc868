import {
  type Authenticator,
  bearerToken,
  challengeOf,
  type Principal,
  type Warning,
} from "@bifocal/core/authenticator";
import type { z } from "zod";
import { checkUrl } from "../outbound/check-url.ts";
import { checkAlgorithms, type JwtAlgorithm } from "./algorithms.ts";
import { type FindKey, type JwksPlace, type JwksTimes, remoteKeys } from "./remote-keys.ts";
import { type ClaimsOf, createTokenCaller, type TokenCallerOptions } from "./token-caller.ts";
import { type JwtKey, selectKey, toVerificationKey } from "./verification-key.ts";
import { claimedIssuer, isJwt, verifyToken } from "./verify-token.ts";

export type JwtOptions<Claims extends z.ZodType> = TokenCallerOptions<Claims> & {
  /** Who issues the tokens: `iss`, to the letter. */
  readonly issuer: string | readonly string[];
  /** Who they are for: one of these must be in `aud`. */
  readonly audience: string | readonly string[];
  /** How they are signed. A token that says otherwise is refused. */
  readonly algorithms: readonly [JwtAlgorithm, ...JwtAlgorithm[]];
  /** How far clocks may be apart, in seconds; 300 at most. Default 30. */
  readonly clockTolerance?: number;
  /** What `typ` must be. Default: `JWT`, `at+jwt` or nothing. */
  readonly type?: string;
  /** What a 401 says in `WWW-Authenticate`. */
  readonly realm?: string;
} & JwtKeys;

type JwtKeys =
  | { readonly keys: readonly [JwtKey, ...JwtKey[]]; readonly jwksUrl?: never; readonly jwks?: never }
  | {
      readonly keys?: never;
      /** Where the issuer publishes its keys: https, or http on this machine. */
      readonly jwksUrl: string;
      readonly jwks?: JwksTimes;
    };

/** An authenticator by tokens, which knows the types of their claims. */
export interface TokenAuthenticator<Claims extends z.ZodType> extends Authenticator {
  /** The claims of a caller whom it made known, with their types; `undefined` for any other. */
  readonly claimsOf: (principal: Principal | null) => ClaimsOf<Claims> | undefined;
}

/**
 * Callers by JSON Web Tokens in `Authorization: Bearer` (RFC 7519, as RFC 8725 wants it). Throws at once for a configuration
 * that nothing can be verified with.
 *
 * @example
 * jwt({ issuer: "https://id.example.com", audience: "https://api.example.com", algorithms: ["ES256"],
 *       jwksUrl: "https://id.example.com/jwks" })
 */
export function jwt<Claims extends z.ZodType = z.ZodUnknown>(options: JwtOptions<Claims>): TokenAuthenticator<Claims> {
  const { algorithms, clockTolerance = 30, realm } = options;
  checkAlgorithms(algorithms);
  checkTolerance(clockTolerance);
  const issuers = listOf(options.issuer, "issuer");
  const audiences = listOf(options.audience, "audience");
  const types = options.type === undefined ? ["", "jwt", "at+jwt"] : [options.type.toLowerCase()];
  const findKey = options.keys === undefined ? jwksOf(options, algorithms) : localKeys(options.keys, algorithms);
  const caller = createTokenCaller<Claims>(options);
  return {
    warnings: [...tokenWarnings(algorithms, options.jwksUrl)],
    challenge: challengeOf("Bearer", { realm }),
    headers: ["Authorization"],
    schemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "A JSON Web Token." } },
    claimsOf: caller.claimsOf,
    async authenticate(credentials) {
      const token = bearerToken(credentials);
      if (token === undefined || !isJwt(token)) return null;
      // Of another issuer it is somebody else's to verify; where there is nobody else, it is refused.
      if (!issuers.includes(claimedIssuer(token) as string)) return null;
      const verified = { issuers, audiences, algorithms, findKey, types, clockTolerance };
      const claims = await verifyToken(token, verified);
      return caller.toAuthenticated(claims, new Date((claims.exp + clockTolerance) * 1_000));
    },
  };
}

function* tokenWarnings(algorithms: readonly JwtAlgorithm[], jwksUrl: string | undefined): Generator<Warning> {
  if (algorithms.some((one) => one.startsWith("HS"))) {
    const message =
      "Tokens are signed with a secret: whoever can check one can make one. Take ES256, or another with a public key.";
    yield { code: "shared_token_secret", message };
  }
  if (jwksUrl !== undefined && !jwksUrl.startsWith("https:")) {
    const message = `The keys of tokens come by plain http, from ${jwksUrl}. Take https.`;
    yield { code: "http_jwks", message };
  }
}

export function checkTolerance(seconds: number): void {
  if (!(seconds >= 0 && seconds <= 300)) throw new Error("'clockTolerance' is 0 to 300 seconds.");
}

function jwksOf(
  { jwksUrl, jwks }: { jwksUrl: string; jwks?: JwksTimes },
  algorithms: readonly JwtAlgorithm[],
): FindKey {
  if (algorithms.some((one) => one.startsWith("HS"))) throw new Error("A secret is in no public set of keys.");
  const place: JwksPlace = { url: checkUrl(jwksUrl, "'jwksUrl'"), origin: "named" };
  return remoteKeys(() => Promise.resolve(place), algorithms, jwks);
}

function localKeys(given: readonly JwtKey[], algorithms: readonly JwtAlgorithm[]): FindKey {
  const keys = given.map((one) => toVerificationKey(one, algorithms));
  if (keys.length === 0) throw new Error("'keys' is to have a key.");
  return (kid, algorithm) => Promise.resolve(selectKey(keys, kid, algorithm));
}

/** Nothing is trusted because a name was left empty. */
function listOf(given: string | readonly string[], what: string): readonly string[] {
  const list = typeof given === "string" ? [given] : given;
  if (!Array.isArray(list) || list.length === 0 || list.some((one) => typeof one !== "string" || one === "")) {
    throw new Error(`'${what}' is to name at least one.`);
  }
  return list as readonly string[];
}
