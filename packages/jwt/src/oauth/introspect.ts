import { BifocalError, type CredentialSource, isBifocalError } from "@bifocal/core/authenticator";
import { createHash } from "node:crypto";
import type { JwtClaims } from "../jwt/verify-token.ts";
import { requestJson } from "../outbound/request-json.ts";
import type { Endpoint, Outbound } from "./discover.ts";

export interface IntrospectionOptions {
  /** The client id of this API at the authorization server. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** The URL of the introspection endpoint. Default: the URL in the issuer's metadata. */
  readonly url?: string;
  /** How long to cache a result, in seconds, and never beyond the token's expiry. A revoked token works until then. Default: 30. */
  readonly cache?: number;
}

interface Place extends Omit<IntrospectionOptions, "url">, Outbound {
  readonly endpoint: () => Promise<Endpoint>;
  readonly issuer: string;
  readonly audiences: readonly string[];
}

const MAX_CACHED = 10_000;
/** Protects the authorization server from a flood of invalid tokens. */
const MAX_CONCURRENT = 64;
/** How long to cache a rejection, in milliseconds. It is short, because an unknown token may become valid soon. */
const REJECTION_CACHE_MS = 5_000;

/** Introspects a token when `source` allows it. Rejects with UNAUTHENTICATED, or with UNAVAILABLE if the server does not respond. */
export type Introspect = (token: string, source?: CredentialSource) => Promise<JwtClaims>;

/** Returns a function that asks the authorization server about tokens (RFC 7662). */
export function createIntrospect(place: Place): Introspect {
  const { cache = 30 } = place;
  // Two caches, so that invalid tokens never evict valid ones.
  const valid = new Answers<JwtClaims>();
  const invalid = new Answers<BifocalError>();
  const pending = new Map<string, Promise<JwtClaims>>();
  const credentials = [place.clientId, place.clientSecret].map(formEncode).join(":");
  const authorization = `Basic ${Buffer.from(credentials).toString("base64")}`;
  let atOnce = 0;

  async function ask(token: string): Promise<JwtClaims> {
    if (atOnce >= MAX_CONCURRENT) throw unavailable(undefined);
    atOnce += 1;
    try {
      const { endpoint, timeout, fetch } = place;
      const form = new URLSearchParams({ token, token_type_hint: "access_token" });
      return check(await requestJson({ ...(await endpoint()), form, authorization, timeout, fetch }), place);
    } catch (thrown) {
      throw isBifocalError(thrown) ? thrown : unavailable(thrown);
    } finally {
      atOnce -= 1;
    }
  }

  async function lookUp(name: string, token: string, source: CredentialSource | undefined): Promise<JwtClaims> {
    try {
      const work = async (): Promise<JwtClaims> => ask(token);
      const claims = await (source === undefined ? work() : source.lookUp(name, work));
      // Each request checks the expiry of the token itself.
      valid.keep(name, claims, cache * 1_000);
      return claims;
    } catch (thrown) {
      const isRefused = isBifocalError(thrown) && thrown.code === "UNAUTHENTICATED";
      if (isRefused) invalid.keep(name, thrown, Math.min(REJECTION_CACHE_MS, cache * 1_000));
      throw thrown;
    } finally {
      pending.delete(name);
    }
  }

  return async (token, source) => {
    // The cache contains digests instead of tokens.
    const name = createHash("sha256").update(token).digest("base64");
    const known = valid.find(name);
    if (known !== undefined) return known;
    const refusal = invalid.find(name);
    if (refusal !== undefined) throw refusal;
    const asked = pending.get(name) ?? lookUp(name, token, source);
    pending.set(name, asked);
    return asked;
  };
}

/** Introspection results, each kept for a limited time. */
class Answers<T> {
  readonly #kept = new Map<string, { readonly value: T; readonly until: number }>();

  find(name: string): T | undefined {
    const found = this.#kept.get(name);
    return found !== undefined && found.until > Date.now() ? found.value : undefined;
  }

  keep(name: string, value: T, time: number): void {
    this.#kept.delete(name);
    this.#kept.set(name, { value, until: Date.now() + time });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_CACHED && oldest !== undefined) this.#kept.delete(oldest);
  }
}

function check(answer: unknown, { issuer, audiences }: Place): JwtClaims {
  const claims = answer as Readonly<Record<string, unknown>> | null;
  // Any value but `true` means inactive (RFC 7662 §2.2).
  if (claims?.["active"] !== true) throw refused("The token is not active.");
  const { iss = issuer, aud, exp, nbf, cnf, sub = claims["client_id"] } = claims;
  const now = Date.now() / 1_000;
  const meant = typeof aud === "string" ? [aud] : Array.isArray(aud) ? aud : [];
  if (iss !== issuer) throw refused("The token's 'iss' claim is not valid.");
  if (!meant.some((one) => audiences.includes(one as string))) throw refused("The token's 'aud' claim is not valid.");
  if (exp !== undefined && !(typeof exp === "number" && exp > now)) throw refused("The token has expired.");
  if (nbf !== undefined && !(typeof nbf === "number" && nbf <= now))
    throw refused("The token's 'nbf' claim is not valid.");
  if (typeof sub !== "string" || sub === "") throw refused("The token's 'sub' claim is not valid.");
  if (cnf !== undefined) throw refused("The token is bound to a key. Bound tokens are not supported.");
  return { ...claims, iss: issuer, sub } as JwtClaims;
}

/** Encodes a client id or secret for `Basic` (RFC 6749 §2.3.1). */
function formEncode(text: string): string {
  return new URLSearchParams({ "": text }).toString().slice(1);
}

function refused(message: string): BifocalError {
  return new BifocalError("UNAUTHENTICATED", message);
}

function unavailable(cause: unknown): BifocalError {
  const message = "Credentials can't be verified at the moment. Try again later.";
  return new BifocalError("UNAVAILABLE", message, { headers: { "Retry-After": "5" }, cause });
}
