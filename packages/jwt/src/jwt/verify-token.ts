import { BifocalError } from "@bifocal/core/authenticator";
import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, type ProtectedHeaderParameters } from "jose";
import type { JwtAlgorithm } from "./algorithms.ts";
import type { FindKey } from "./remote-keys.ts";

/** The claims of an access token that was verified (RFC 7519 §4.1, RFC 9068 §2.2). */
export interface JwtClaims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: string | readonly string[];
  /** Seconds since 1970. */
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
  /** What `typ` may be, in lower case; `""` is none. */
  readonly types: readonly string[];
  /** Seconds. */
  readonly clockTolerance: number;
}

/** Headers that change what a token means, and that nobody needs here (RFC 7515 §4.1.11, RFC 7797, RFC 7516). */
const REFUSED_HEADERS = ["crit", "b64", "zip", "enc", "cty"];

/** Whether a token has the form of a JWT. */
export function isJwt(token: string): boolean {
  return /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*$/.test(token);
}

/** Who says that they issued a token; nothing is verified by that. */
export function claimedIssuer(token: string): unknown {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

/** The claims of a token. Throws UNAUTHENTICATED, or UNAVAILABLE where its issuer's keys are out of reach. */
export async function verifyToken(token: string, options: VerifyOptions): Promise<JwtClaims> {
  const { alg, kid } = readHeader(token, options);
  const found = await options.findKey(kid, alg);
  if (found === undefined) throw invalid("The token is signed with a key that is not known here.");
  try {
    const { payload } = await jwtVerify(token, found.key, {
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
      throw invalid(`The token is refused by its '${thrown.claim}'.`);
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
  if (refused !== undefined) throw invalid(`The token has a header that is not accepted: '${refused}'.`);
  const { alg, kid, typ = "" } = header;
  const algorithm = options.algorithms.find((one) => one === alg);
  if (algorithm === undefined) throw invalid("The token is signed in a way that is not accepted.");
  if (kid !== undefined && typeof kid !== "string") throw invalid("The token is malformed.");
  // `application/` may be left out (RFC 7515 §4.1.9).
  const type = typeof typ === "string" ? typ.toLowerCase().replace(/^application\//, "") : undefined;
  if (type === undefined || !options.types.includes(type))
    throw invalid("The token is of a type that is not accepted.");
  return { alg: algorithm, kid };
}

/** What jose leaves open. */
function checkClaims(payload: Readonly<Record<string, unknown>>, clockTolerance: number): JwtClaims {
  const { sub, iat, cnf } = payload;
  if (typeof sub !== "string" || sub === "") throw invalid("The token is refused by its 'sub'.");
  const isLater = typeof iat === "number" && iat > Date.now() / 1_000 + clockTolerance;
  if ((iat !== undefined && typeof iat !== "number") || isLater) throw invalid("The token is refused by its 'iat'.");
  // Good only with a proof that is not asked for here (RFC 8705, RFC 9449).
  if (cnf !== undefined) throw invalid("The token is bound to a key, which is not checked here.");
  return payload as JwtClaims;
}

function invalid(message: string): BifocalError {
  return new BifocalError("UNAUTHENTICATED", message);
}
