import { checkPrincipal, isSystem, type Principal } from "../definition/principal.ts";
import { BifocalError, isBifocalError } from "../errors/bifocal-error.ts";
import { kindOf } from "../util/check-call.ts";
import type { MaybePromise } from "../util/maybe-promise.ts";
import type { JsonObject } from "../util/json.ts";
import type { Validity } from "../operation/validity.ts";
import type { StoredKeysAuthenticator } from "./api-keys/stored-keys.ts";
import type { KeyRing } from "./api-keys/key-store.ts";
import type { Answer, Authenticated, Authenticator, Credentials, CredentialSource } from "./authenticator.ts";
import { type BearerError, withError } from "./challenge.ts";
import { AUTHORIZATION, COOKIE, credentialHeaders } from "./credential-headers.ts";
import { bearerToken, credentialIn } from "./credentials.ts";
import { createWithoutProxyCredentials } from "./proxy-credentials.ts";
import { nameRejected } from "./rejected-credential.ts";

/** The caller, and the expiry of its credential in milliseconds since 1970. */
export interface KnownCaller extends Validity {
  readonly principal: Principal | null;
}

/** Combines all authenticators of an API. */
export interface Authentication {
  /** Undefined if there are no authenticators; all callers are anonymous then. */
  readonly identify: ((credentials: Credentials, source?: CredentialSource) => Promise<KnownCaller>) | undefined;
  /** Returns the value of `WWW-Authenticate`. */
  readonly challenge: (error?: BearerError) => string;
  /**
   * The request headers that identify the caller, without duplicates and in one spelling. Responses vary on them (RFC
   * 9110 §12.5.5).
   */
  readonly headers: readonly string[];
  readonly schemes: Authenticator["schemes"];
  readonly documents: Readonly<Record<string, JsonObject>>;
  /** The ring of the API keys. Undefined if the keys are listed in the code. */
  readonly keyRing: KeyRing | undefined;
}

interface Reader {
  readonly authenticator: Authenticator;
  readonly headers: readonly string[];
}

const NOBODY: KnownCaller = { principal: null };

export function createAuthentication(authenticators: readonly Authenticator[]): Authentication {
  const byAuthenticator = credentialHeaders(authenticators);
  const readers = authenticators.map((authenticator, at) => ({ authenticator, headers: byAuthenticator[at] ?? [] }));
  const withoutProxyCredentials = createWithoutProxyCredentials(authenticators, byAuthenticator);
  const headers = [...new Set(byAuthenticator.flat())];
  // A request with one of these is never anonymous, except for a scheme that is meant for a proxy.
  const explicit = [...new Set([AUTHORIZATION, ...headers.filter((header) => header !== COOKIE)])];
  const challenge: Authentication["challenge"] = (error) =>
    [...new Set(authenticators.map((one) => (error ? withError(one.challenge, error) : one.challenge)))].join(", ") ||
    "Bearer";

  /**
   * A credential in a header has precedence over cookies, which browsers send automatically. An invalid one is rejected:
   * the request doesn't fall back to its cookies.
   */
  async function identify(sent: Credentials, source?: CredentialSource): Promise<KnownCaller> {
    const credentials = withoutProxyCredentials(sent);
    const shown = explicit.filter((header) => credentialIn(credentials, header) !== undefined);
    const [header] = shown;
    // Generated clients may send the same key in every header that the API describes.
    const texts = new Set(shown.map((one) => credentialText(credentials, one)));
    if (texts.size > 1) throw several(shown);
    const candidates =
      header === undefined ? readers : readers.filter((one) => one.headers.some((name) => shown.includes(name)));
    const found = await firstAnswer(candidates, credentials, source);
    if (found !== undefined) return found;
    if (header === undefined) return NOBODY;
    throw nameRejected(new BifocalError("UNAUTHENTICATED", "Invalid API key or token."), header);
  }

  async function explained(credentials: Credentials, source?: CredentialSource): Promise<KnownCaller> {
    try {
      return await identify(credentials, source);
    } catch (thrown) {
      if (!isBifocalError(thrown) || thrown.code !== "UNAUTHENTICATED") throw thrown;
      const { message, issues } = thrown;
      const said = { "WWW-Authenticate": challenge({ error: "invalid_token", description: message }) };
      throw new BifocalError("UNAUTHENTICATED", message, {
        issues,
        cause: thrown,
        headers: { ...said, ...thrown.headers },
      });
    }
  }

  return {
    identify: authenticators.length === 0 ? undefined : explained,
    challenge,
    headers,
    schemes: Object.assign({}, ...authenticators.map((one) => one.schemes)) as Authenticator["schemes"],
    documents: Object.assign({}, ...authenticators.map((one) => one.documents ?? {})) as Record<string, JsonObject>,
    keyRing: authenticators
      .map((one) => (one as Partial<StoredKeysAuthenticator>)["~keys"])
      .find((ring) => ring !== undefined),
  };
}

/** Calls the authenticators in order until one of them recognizes the credential. */
async function firstAnswer(
  readers: readonly Reader[],
  credentials: Credentials,
  source: CredentialSource | undefined,
): Promise<KnownCaller | undefined> {
  for (const { authenticator, headers } of readers) {
    try {
      const answer = authenticator.authenticate(credentials, source);
      const known = toKnown(isPromise(answer) ? await answer : answer);
      if (known !== undefined) return known;
    } catch (thrown) {
      throw nameRejected(
        thrown,
        headers.find((header) => isSent(credentials, header)),
      );
    }
  }
  return undefined;
}

function toKnown(answer: Answer): KnownCaller | undefined {
  // A host's function may return `request.user`, which may be undefined.
  if (answer === null || answer === undefined) return undefined;
  const { principal, expires, recheck } = authenticatedOf(answer);
  if (principal === null || principal === undefined) return undefined;
  checkPrincipal("the principal that an authenticator returned", principal);
  if (isSystem(principal)) {
    throw new Error("An authenticator returned a system principal. Requests can't have one.");
  }
  const ends = expires?.getTime();
  // An invalid date must not count as "never expires".
  if (ends !== undefined && !(ends > Date.now())) {
    throw new BifocalError("UNAUTHENTICATED", "The credential has expired.");
  }
  return { principal, expires: ends, recheck: recheck && refusable(recheck) };
}

/** Throws a `TypeError` for options of a credential that would otherwise make it valid for longer, or fail later. */
function authenticatedOf(answer: Principal | Authenticated): Partial<Authenticated> {
  if (typeof answer !== "object" || !("principal" in answer)) return { principal: answer };
  const { expires, recheck } = answer as Partial<Record<keyof Authenticated, unknown>>;
  const problem = (option: string, expected: string, value: unknown): TypeError =>
    new TypeError(`'${option}' that an authenticator returned must be ${expected}; received ${kindOf(value)}.`);
  if (expires !== undefined && !(expires instanceof Date)) throw problem("expires", "a Date", expires);
  if (recheck !== undefined && typeof recheck !== "function") throw problem("recheck", "a function", recheck);
  return answer;
}

/** Whether a value can be awaited. Queries of some database clients aren't instances of `Promise`. */
function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof (value as Partial<Promise<T>> | null | undefined)?.then === "function";
}

/** An UNAUTHENTICATED error means `false`. Other errors are passed on. */
function refusable(recheck: NonNullable<Authenticated["recheck"]>): () => Promise<boolean> {
  return async () => {
    try {
      return await recheck();
    } catch (thrown) {
      if (isBifocalError(thrown) && thrown.code === "UNAUTHENTICATED") return false;
      throw thrown;
    }
  };
}

/** Returns the credential in a header, without the scheme of a Bearer token. */
function credentialText(credentials: Credentials, header: string): string | undefined {
  const text = credentialIn(credentials, header);
  return header === AUTHORIZATION ? (bearerToken(credentials) ?? text) : text;
}

/** Whether a header has a value. `Cookie` in `connection_init` is ignored. */
function isSent(credentials: Credentials, header: string): boolean {
  if (header === COOKIE) return credentials.headers["cookie"] !== undefined;
  return credentialIn(credentials, header) !== undefined;
}

function several(headers: readonly string[]): BifocalError {
  const message = `The request has more than one credential: ${headers.join(", ")}. Send only one, or the same one in each.`;
  return new BifocalError("BAD_REQUEST", message);
}
