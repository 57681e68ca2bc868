import type { Authentication } from "../auth/authentication.ts";
import { missingScopes } from "../definition/missing-scopes.ts";
import type { HttpRequest, HttpResponse } from "../message/message.ts";
import type { RequestCaller } from "./request-caller.ts";
import type { Allowance } from "../operation/allowance.ts";

interface DecorateResponseOptions extends Pick<Authentication, "challenge"> {
  /** Called for each request that the rate limit of its address rejected. */
  readonly onAddressRefused: (request: HttpRequest) => void;
}

/** Adds the headers that depend on the caller to a response. */
export function createDecorateResponse({
  challenge,
  onAddressRefused,
}: DecorateResponseOptions): (response: HttpResponse, caller: RequestCaller) => HttpResponse {
  return (response, caller) => limited(challenged(response, caller), caller);

  /** Adds the state of the caller's rate limit. */
  function limited(response: HttpResponse, { allowance, request }: RequestCaller): HttpResponse {
    if (allowance === undefined) return response;
    if (allowance.isExceeded && allowance.policy === "address") onAddressRefused(request);
    return { ...response, headers: { ...response.headers, ...rateLimitHeaders(allowance) } };
  }

  /** Adds a challenge for anonymous callers (RFC 9110 §11.6.1), or the missing scopes (RFC 6750 §3.1). */
  function challenged(response: HttpResponse, { principal }: RequestCaller): HttpResponse {
    const { status } = response;
    if ((status !== 401 && status !== 403) || hasHeader(response, "www-authenticate")) return response;
    const missing = status === 403 && principal !== null ? missingScopes(principal) : [];
    if (status === 403 && missing.length === 0) return response;
    const said = challenge(status === 401 ? undefined : { error: "insufficient_scope", scope: missing.join(" ") });
    return { ...response, headers: { ...response.headers, "WWW-Authenticate": said } };
  }
}

function hasHeader({ headers }: HttpResponse, name: string): boolean {
  return Object.keys(headers).some((known) => known.toLowerCase() === name);
}

/**
 * Creates the headers `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11), which are lists of
 * structured fields (RFC 9651), and `Retry-After` if the limit was exceeded.
 */
function rateLimitHeaders(allowance: Allowance): Readonly<Record<string, string>> {
  const { policy, quota, window, remaining, reset, isExceeded } = allowance;
  return {
    "RateLimit-Policy": `"${policy}";q=${quota};w=${window}`,
    RateLimit: `"${policy}";r=${remaining};t=${reset}`,
    ...(isExceeded ? { "Retry-After": String(reset) } : {}),
  };
}
