import {
  type Authenticator,
  bearerToken,
  challengeOf,
  type Principal,
  type Warning,
} from "@bifocal/core/authenticator";
import { checkCallOptions, type CallOptionKinds } from "@bifocal/core/internal";
import type { z } from "zod";
import { checkUrl } from "../outbound/check-url.ts";
import type { Fetch } from "../outbound/request-by-fetch.ts";
import { checkAlgorithms, type JwtAlgorithm } from "./algorithms.ts";
import { type FindKey, type JwksPlace, type JwksTimes, remoteKeys } from "./remote-keys.ts";
import { type ClaimsOf, createTokenCaller, type TokenCallerOptions } from "./token-caller.ts";
import { type JwtKey, selectKey, toVerificationKey } from "./verification-key.ts";
import { claimedIssuer, isJwt, verifyToken } from "./verify-token.ts";

export type JwtOptions<Claims extends z.ZodType> = TokenCallerOptions<Claims> & {
  /** The exact value, or values, that `iss` may have. */
  readonly issuer: string | readonly string[];
  /** `aud` must contain one of these values. */
  readonly audience: string | readonly string[];
  /** The accepted signature algorithms. Tokens with any other are rejected. */
  readonly algorithms: readonly [JwtAlgorithm, ...JwtAlgorithm[]];
  /** Maximum difference between clocks, in seconds. At most 300. Default: 30. */
  readonly clockTolerance?: number;
  /** The required `typ`. Default: `JWT`, `at+jwt` or none. */
  readonly type?: string;
  /** The realm in the `WWW-Authenticate` header of a 401. */
  readonly realm?: string;
} & JwtKeys;

type JwtKeys =
  | {
      readonly keys: readonly [JwtKey, ...JwtKey[]];
      readonly jwksUrl?: never;
      readonly jwks?: never;
      readonly fetch?: never;
    }
  | {
      readonly keys?: never;
      /** The URL of the issuer's key set: https, or http on this machine. */
      readonly jwksUrl: string;
      readonly jwks?: JwksTimes;
      /**
       * Requests the key set, on hosts whose `node:http` lacks the option `lookup`, such as workerd. The host must then
       * refuse addresses outside the public internet itself. Default: `node:http`, whose addresses are checked.
       */
      readonly fetch?: Fetch;
    };

const OPTIONS: CallOptionKinds<JwtOptions<z.ZodType>> = {
  issuer: true,
  audience: true,
  algorithms: true,
  keys: true,
  jwksUrl: "a string",
  jwks: "an object",
  fetch: "a function",
  clockTolerance: true,
  type: "a string",
  realm: "a string",
  claims: "an object",
  principal: "a function",
  isActive: "a function",
};

/** An authenticator for tokens with typed claims. */
export interface TokenAuthenticator<Claims extends z.ZodType> extends Authenticator {
  /** Returns the claims of a principal that this authenticator created; `undefined` for any other principal. */
  readonly claimsOf: (principal: Principal | null) => ClaimsOf<Claims> | undefined;
}

/**
 * Returns an authenticator for JSON Web Tokens in `Authorization: Bearer` (RFC 7519, RFC 8725). Throws if no token could be
 * verified with the given options.
 *
 * @example
 * jwt({ issuer: "https://id.example.com", audience: "https://api.example.com", algorithms: ["ES256"],
 *       jwksUrl: "https://id.example.com/jwks" })
 */
export function jwt<Claims extends z.ZodType = z.ZodUnknown>(options: JwtOptions<Claims>): TokenAuthenticator<Claims> {
  checkCallOptions("jwt", options, OPTIONS);
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
      // A token of another issuer may belong to the next authenticator. If none accepts it, the request is rejected.
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
      "Tokens are signed with a shared secret, so every server that verifies tokens can also create them. Use ES256 or another algorithm with a public key.";
    yield { code: "shared_token_secret", message };
  }
  if (jwksUrl !== undefined && !jwksUrl.startsWith("https:")) {
    const message = `The keys for tokens are fetched over plain HTTP from ${jwksUrl}. Use https.`;
    yield { code: "http_jwks", message };
  }
}

export function checkTolerance(seconds: number): void {
  if (!(seconds >= 0 && seconds <= 300)) throw new Error("'clockTolerance' must be from 0 to 300 seconds.");
}

function jwksOf(
  { jwksUrl, jwks, fetch }: { jwksUrl: string; jwks?: JwksTimes; fetch?: Fetch },
  algorithms: readonly JwtAlgorithm[],
): FindKey {
  if (algorithms.some((one) => one.startsWith("HS")))
    throw new Error(
      "A public set of keys contains no secrets. Remove the HS algorithms from 'algorithms', or pass 'keys'.",
    );
  const place: JwksPlace = { url: checkUrl(jwksUrl, "'jwksUrl'"), origin: "named" };
  return remoteKeys(() => Promise.resolve(place), algorithms, jwks, fetch);
}

function localKeys(given: readonly JwtKey[], algorithms: readonly JwtAlgorithm[]): FindKey {
  const keys = given.map((one) => toVerificationKey(one, algorithms));
  if (keys.length === 0) throw new Error("'keys' must contain at least one key.");
  return (kid, algorithm) => Promise.resolve(selectKey(keys, kid, algorithm));
}

/** Rejects empty values, because an empty name must not match anything. */
function listOf(given: string | readonly string[], what: string): readonly string[] {
  const list = typeof given === "string" ? [given] : given;
  if (!Array.isArray(list) || list.length === 0 || list.some((one) => typeof one !== "string" || one === "")) {
    throw new Error(`'${what}' must be a string or a list of strings, and not empty.`);
  }
  return list as readonly string[];
}
