import { BifocalError, type Issue } from "./bifocal-error.ts";

export function withIssues(error: BifocalError, issues: readonly Issue[]): BifocalError {
  const { code, message, headers, requestId, cause } = error;
  return new BifocalError(code, message, {
    issues,
    headers,
    cause,
    ...(requestId === undefined ? {} : { requestId }),
  });
}
