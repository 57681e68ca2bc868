import { createHash } from "node:crypto";
import { BifocalError } from "../../errors/bifocal-error.ts";
import type { JwtClaims } from "../jwt/verify-token.ts";
import { requestJson } from "../outbound/request-json.ts";
import type { Endpoint } from "./discover.ts";

export interface IntrospectionOptions {
  /** What this API is to the authorization server. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where to ask. Default: what the issuer's metadata says. */
  readonly url?: string;
  /** For how many seconds an answer holds, and never beyond the token: a revoked one is noticed so late. Default 30. */
  readonly cache?: number;
}

interface Place extends Omit<IntrospectionOptions, "url"> {
  readonly endpoint: () => Promise<Endpoint>;
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly timeout: number;
}

interface Kept {
  readonly answer: Promise<JwtClaims>;
  until: number;
}

const MOST_KEPT = 10_000;
/** More would be a flood of made-up tokens, which the authorization server is not to feel. */
const MOST_AT_ONCE = 64;
/** Milliseconds. A token that was unknown may be known soon. */
const REFUSED_FOR = 5_000;

/** Asks the authorization server what a token is (RFC 7662). Rejects with UNAUTHENTICATED, or UNAVAILABLE where it does not answer. */
export function createIntrospect(place: Place): (token: string) => Promise<JwtClaims> {
  const { cache = 30 } = place;
  const kept = new Map<string, Kept>();
  const credentials = [place.clientId, place.clientSecret].map(formEncode).join(":");
  const authorization = `Basic ${Buffer.from(credentials).toString("base64")}`;
  let atOnce = 0;

  async function ask(token: string): Promise<JwtClaims> {
    if (atOnce >= MOST_AT_ONCE) throw unavailable(undefined);
    atOnce += 1;
    try {
      const { endpoint, timeout } = place;
      const form = new URLSearchParams({ token, token_type_hint: "access_token" });
      return check(await requestJson({ ...(await endpoint()), form, authorization, timeout }), place);
    } catch (thrown) {
      throw thrown instanceof BifocalError ? thrown : unavailable(thrown);
    } finally {
      atOnce -= 1;
    }
  }

  return (token) => {
    // What is kept is no token.
    const name = createHash("sha256").update(token).digest("base64");
    const known = kept.get(name);
    if (known !== undefined && known.until > Date.now()) return known.answer;
    const entry: Kept = { answer: ask(token), until: Infinity };
    kept.delete(name);
    kept.set(name, entry);
    entry.answer.then(
      () => {
        // The end of the token itself is looked at with each request.
        entry.until = Date.now() + cache * 1_000;
      },
      (thrown: unknown) => {
        const isRefused = thrown instanceof BifocalError && thrown.code === "UNAUTHENTICATED";
        entry.until = isRefused ? Date.now() + Math.min(REFUSED_FOR, cache * 1_000) : 0;
      },
    );
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    return entry.answer;
  };
}

function check(answer: unknown, { issuer, audiences }: Place): JwtClaims {
  const claims = answer as Readonly<Record<string, unknown>> | null;
  // Nothing but `true` is active.
  if (claims?.["active"] !== true) throw refused("The token is not active.");
  const { iss = issuer, aud, exp, nbf, cnf, sub = claims["client_id"] } = claims;
  const now = Date.now() / 1_000;
  const meant = typeof aud === "string" ? [aud] : Array.isArray(aud) ? aud : [];
  if (iss !== issuer) throw refused("The token is refused by its 'iss'.");
  if (!meant.some((one) => audiences.includes(one as string))) throw refused("The token is refused by its 'aud'.");
  if (exp !== undefined && !(typeof exp === "number" && exp > now)) throw refused("The token has expired.");
  if (nbf !== undefined && !(typeof nbf === "number" && nbf <= now))
    throw refused("The token is refused by its 'nbf'.");
  if (typeof sub !== "string" || sub === "") throw refused("The token is refused by its 'sub'.");
  if (cnf !== undefined) throw refused("The token is bound to a key, which is not checked here.");
  return { ...claims, iss: issuer, sub } as JwtClaims;
}

/** As RFC 6749 §2.3.1 wants names and passwords in `Basic`. */
function formEncode(text: string): string {
  return new URLSearchParams({ "": text }).toString().slice(1);
}

function refused(message: string): BifocalError {
  return new BifocalError("UNAUTHENTICATED", message);
}

function unavailable(cause: unknown): BifocalError {
  const message = "Credentials cannot be checked at the moment.";
  return new BifocalError("UNAVAILABLE", message, { headers: { "Retry-After": "5" }, cause });
}
