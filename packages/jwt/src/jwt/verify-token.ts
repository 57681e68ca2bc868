import { BifocalError } from "@bifocal/core/authenticator";
import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, type JWK, type ProtectedHeaderParameters } from "jose";
import type { JwtAlgorithm } from "./algorithms.ts";
import type { FindKey } from "./remote-keys.ts";

/** The claims of a verified token (RFC 7519 §4.1, RFC 9068 §2.2). */
export interface JwtClaims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: string | readonly string[];
  /** In seconds since 1970. */
  readonly exp: number;
  readonly iat?: number;
  readonly nbf?: number;
  readonly jti?: string;
  readonly client_id?: string;
  readonly scope?: string;
  readonly [name: string]: unknown;
}

export interface VerifyOptions {
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
  readonly algorithms: readonly JwtAlgorithm[];
  readonly findKey: FindKey;
  /** The accepted values of `typ`, in lower case. `""` means that it may be absent. */
  readonly types: readonly string[];
  /** In seconds. */
  readonly clockTolerance: number;
}

/** Headers that change the meaning of a token. They are not supported (RFC 7515 §4.1.11, RFC 7797, RFC 7516). */
const REFUSED_HEADERS = ["crit", "b64", "zip", "enc", "cty"];

/** Returns whether a token has the format of a JWT. */
export function isJwt(token: string): boolean {
  return /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*$/.test(token);
}

/** Returns the `iss` of a token without verifying it. */
export function claimedIssuer(token: string): unknown {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

/** Returns the claims of a token. Rejects with UNAUTHENTICATED, or with UNAVAILABLE if the issuer's keys are unreachable. */
export async function verifyToken(token: string, options: VerifyOptions): Promise<JwtClaims> {
  const { alg, kid } = readHeader(token, options);
  const found = await options.findKey(kid, alg);
  if (found === undefined) throw invalid("The token is signed with an unknown key.");
  try {
    const { payload } = await jwtVerify(token, found.jwk as JWK, {
      algorithms: [alg],
      issuer: [...options.issuers],
      audience: [...options.audiences],
      clockTolerance: options.clockTolerance,
      requiredClaims: ["exp"],
    });
    return checkClaims(payload, options.clockTolerance);
  } catch (thrown) {
    if (thrown instanceof errors.JWTExpired) throw invalid("The token has expired.");
    if (thrown instanceof errors.JWTClaimValidationFailed)
      throw invalid(`The token's '${thrown.claim}' claim is not valid.`);
    if (thrown instanceof errors.JOSEError) throw invalid("The token is not valid.");
    throw thrown;
  }
}

function readHeader(
  token: string,
  options: VerifyOptions,
): { readonly alg: JwtAlgorithm; readonly kid: string | undefined } {
  let header: ProtectedHeaderParameters & Readonly<Record<string, unknown>>;
  try {
    header = decodeProtectedHeader(token);
  } catch {
    throw invalid("The token is malformed.");
  }
  const refused = REFUSED_HEADERS.find((name) => header[name] !== undefined);
  if (refused !== undefined) throw invalid(`The token's '${refused}' header is not supported.`);
  const { alg, kid, typ = "" } = header;
  const algorithm = options.algorithms.find((one) => one === alg);
  if (algorithm === undefined) throw invalid("The token's signature algorithm is not accepted.");
  if (kid !== undefined && typeof kid !== "string") throw invalid("The token is malformed.");
  // `application/` may be left out (RFC 7515 §4.1.9).
  const type = typeof typ === "string" ? typ.toLowerCase().replace(/^application\//, "") : undefined;
  if (type === undefined || !options.types.includes(type)) throw invalid("The token's type is not accepted.");
  return { alg: algorithm, kid };
}

/** Checks the claims that jose does not check. */
function checkClaims(payload: Readonly<Record<string, unknown>>, clockTolerance: number): JwtClaims {
  const { sub, iat, cnf } = payload;
  if (typeof sub !== "string" || sub === "") throw invalid("The token's 'sub' claim is not valid.");
  const isLater = typeof iat === "number" && iat > Date.now() / 1_000 + clockTolerance;
  if ((iat !== undefined && typeof iat !== "number") || isLater) throw invalid("The token's 'iat' claim is not valid.");
  // The token is valid only with a proof of possession, which is not supported (RFC 8705, RFC 9449).
  if (cnf !== undefined) throw invalid("The token is bound to a key. Bound tokens are not supported.");
  return payload as JwtClaims;
}

function invalid(message: string): BifocalError {
  return new BifocalError("UNAUTHENTICATED", message);
}
