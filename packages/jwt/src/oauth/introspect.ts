import { BifocalError, type CredentialSource, isBifocalError } from "@bifocal/core/authenticator";
import { createHash } from "node:crypto";
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

const MOST_KEPT = 10_000;
/** More would be a flood of made-up tokens, which the authorization server is not to feel. */
const MOST_AT_ONCE = 64;
/** Milliseconds. A token that was unknown may be known soon. */
const REFUSED_FOR = 5_000;

/** Asks about a token; `source` decides when. Rejects with UNAUTHENTICATED, or UNAVAILABLE where the server does not answer. */
export type Introspect = (token: string, source?: CredentialSource) => Promise<JwtClaims>;

/** Asks the authorization server what a token is (RFC 7662). */
export function createIntrospect(place: Place): Introspect {
  const { cache = 30 } = place;
  // Apart, so that made-up tokens push no valid one out.
  const valid = new Answers<JwtClaims>();
  const invalid = new Answers<BifocalError>();
  const pending = new Map<string, Promise<JwtClaims>>();
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
      throw isBifocalError(thrown) ? thrown : unavailable(thrown);
    } finally {
      atOnce -= 1;
    }
  }

  async function lookUp(name: string, token: string, source: CredentialSource | undefined): Promise<JwtClaims> {
    try {
      const work = async (): Promise<JwtClaims> => ask(token);
      const claims = await (source === undefined ? work() : source.lookUp(name, work));
      // The end of the token itself is looked at with each request.
      valid.keep(name, claims, cache * 1_000);
      return claims;
    } catch (thrown) {
      const isRefused = isBifocalError(thrown) && thrown.code === "UNAUTHENTICATED";
      if (isRefused) invalid.keep(name, thrown, Math.min(REFUSED_FOR, cache * 1_000));
      throw thrown;
    } finally {
      pending.delete(name);
    }
  }

  return async (token, source) => {
    // What is kept is no token.
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
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }
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
