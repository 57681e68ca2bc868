import type { Authentication } from "../auth/authentication.ts";
import { missingScopes } from "../definition/missing-scopes.ts";
import type { HttpRequest, HttpResponse } from "../message/message.ts";
import { rateLimitHeaders } from "./rate-limit-headers.ts";
import type { RequestCaller } from "./request-caller.ts";

interface DecorateResponseOptions extends Pick<Authentication, "challenge"> {
  /** Told of each request that the rate limit refused by its address. */
  readonly onAddressRefused: (request: HttpRequest) => void;
}

/** Adds to a response what its caller has to know of itself. */
export function createDecorateResponse({
  challenge,
  onAddressRefused,
}: DecorateResponseOptions): (response: HttpResponse, caller: RequestCaller) => HttpResponse {
  return (response, caller) => limited(challenged(response, caller), caller);

  /** Who pays is told what is left. */
  function limited(response: HttpResponse, { allowance, request }: RequestCaller): HttpResponse {
    if (allowance === undefined) return response;
    if (allowance.isExceeded && allowance.policy === "address") onAddressRefused(request);
    return { ...response, headers: { ...response.headers, ...rateLimitHeaders(allowance) } };
  }

  /** Who is not known is told how to be (RFC 9110 §11.6.1), and who lacks a scope, which (RFC 6750 §3.1). */
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
