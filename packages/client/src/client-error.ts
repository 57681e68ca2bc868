import type { ErrorCode, Issue } from "@bifocal/core";

export interface ErrorParts {
  readonly issues?: readonly Issue[] | undefined;
  readonly cause?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly requestId?: string | undefined;
  readonly status?: number | undefined;
}

/**
 * An error of a call. It has the members of the `BifocalError` of `@bifocal/core`, and the HTTP status of the response.
 * If the server can't be reached, `code` is `UNAVAILABLE` and `status` is undefined.
 */
export class BifocalError extends Error {
  override readonly name = "BifocalError";
  readonly "~bifocal" = "error";
  declare readonly code: ErrorCode;
  declare readonly issues: readonly Issue[];
  declare readonly headers: Readonly<Record<string, string>>;
  declare readonly requestId: string | undefined;
  declare readonly status: number | undefined;

  constructor(code: ErrorCode, message: string, parts: ErrorParts = {}) {
    super(message, parts);
    const { issues = [], headers = {}, requestId, status } = parts;
    Object.assign(this, { code, issues, headers, requestId, status });
  }
}

export function isBifocalError(thrown: unknown): thrown is BifocalError {
  return (thrown as Partial<BifocalError> | null | undefined)?.["~bifocal"] === "error";
}
