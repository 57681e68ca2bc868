import { BifocalError } from "../errors/bifocal-error.ts";
import type { Limits } from "../operation/limits.ts";
import type { HttpRequest } from "./message.ts";

/** Refuses a request by its head alone: URI_TOO_LONG (RFC 9110 §15.5.15), HEADERS_TOO_LARGE (RFC 6585 §5). */
export function checkHead(
  { query, headerCount = 0 }: Pick<HttpRequest, "query" | "headerCount">,
  limits: Limits,
): void {
  if (query.length > limits.queryLength) {
    throw new BifocalError("URI_TOO_LONG", `A query string may have ${limits.queryLength} characters.`);
  }
  if (headerCount > limits.headers) {
    throw new BifocalError("HEADERS_TOO_LARGE", `A request may have ${limits.headers} headers.`);
  }
}
