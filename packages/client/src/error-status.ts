import type { ErrorCode } from "@bifocal/core";

/** The codes of statuses that something in front of the server sends. Responses of Bifocal contain their code. */
export const CODES: Readonly<Record<number, ErrorCode>> = {
  401: "UNAUTHENTICATED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  413: "PAYLOAD_TOO_LARGE",
  429: "RATE_LIMITED",
  503: "UNAVAILABLE",
  504: "TIMEOUT",
};

export function codeOfStatus(status: number): ErrorCode {
  // 502 is also sent if the server can't be reached.
  return CODES[status === 502 ? 503 : status] ?? (status < 500 ? "BAD_REQUEST" : "INTERNAL");
}
