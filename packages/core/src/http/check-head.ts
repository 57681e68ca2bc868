import { BifocalError } from "../errors/bifocal-error.ts";
import type { Limits } from "../limits/limits.ts";
import type { HttpRequest } from "../message/message.ts";

type Head = Pick<HttpRequest, "query" | "headerCount" | "headers" | "repeats">;

/**
 * Rejects a request by its head alone. Throws URI_TOO_LONG (RFC 9110 §15.5.15), HEADERS_TOO_LARGE (RFC 6585 §5) or
 * BAD_REQUEST.
 */
export function checkHead(request: Head, limits: Limits): void {
  const { query, headerCount = 0, headers } = request;
  if (query.length > limits.http.queryLength) {
    throw new BifocalError(
      "URI_TOO_LONG",
      `The query string is too long. The maximum is ${limits.http.queryLength} characters.`,
    );
  }
  if (headerCount > limits.http.headers) {
    throw new BifocalError(
      "HEADERS_TOO_LARGE",
      `The request has too many headers. The maximum is ${limits.http.headers}.`,
    );
  }
  // A proxy in front of the server may have used the other value (RFC 9112 §3.2, RFC 9110 §5.3).
  if (request.repeats?.("host") === true)
    throw new BifocalError("BAD_REQUEST", "The header 'Host' was sent more than once.");
  if (headers["content-type"] !== undefined && request.repeats?.("content-type") === true) {
    throw new BifocalError("BAD_REQUEST", "The header 'Content-Type' was sent more than once.");
  }
}
