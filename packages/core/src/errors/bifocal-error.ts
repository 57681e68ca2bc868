import type { ErrorCode } from "./codes.ts";

/** One problem with an input: its path, a message, and a stable code (zod's or Bifocal's). */
export interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly code: string;
}

export interface ErrorOptionsWith {
  readonly issues?: readonly Issue[];
  readonly cause?: unknown;
  /** Response headers that belong to the error: `Allow`, `WWW-Authenticate`, `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The id of the failed request, if the message is masked. */
  readonly requestId?: string;
}

/**
 * The error class of Bifocal. `code` is a closed union, so `switch (error.code)` narrows it; the message is shown to
 * the client. Throw it from rules, actions and stores to respond with that code. Any other error is masked as
 * `INTERNAL`.
 */
export class BifocalError extends Error {
  override readonly name = "BifocalError";
  readonly "~bifocal" = "error";
  readonly code: ErrorCode;
  readonly issues: readonly Issue[];
  readonly headers: Readonly<Record<string, string>>;
  readonly requestId: string | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptionsWith = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.issues = options.issues ?? [];
    this.headers = options.headers ?? {};
    this.requestId = options.requestId;
  }
}

/** Checks the brand instead of the class, because an application may load two copies of this package. */
export function isBifocalError(thrown: unknown): thrown is BifocalError {
  return typeof thrown === "object" && thrown !== null && "~bifocal" in thrown && thrown["~bifocal"] === "error";
}

export function withIssues(error: BifocalError, issues: readonly Issue[]): BifocalError {
  const { code, message, headers, requestId, cause } = error;
  return new BifocalError(code, message, {
    issues,
    headers,
    cause,
    ...(requestId === undefined ? {} : { requestId }),
  });
}
