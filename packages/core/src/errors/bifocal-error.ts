import type { ErrorCode } from "./codes.ts";

/** One thing wrong with an input: where, what, and a stable code (zod's, or our own). */
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
  /** Which request failed, where the message is masked. */
  readonly requestId?: string;
}

/**
 * The one error of Bifocal. `code` is a closed union, so `switch (error.code)` narrows; the message is meant for the
 * caller. Throw it from rules, actions and stores to answer with that code; any other throw is masked as `INTERNAL`.
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

/** Recognised by brand: an application may hold two copies of this package. */
export function isBifocalError(thrown: unknown): thrown is BifocalError {
  return typeof thrown === "object" && thrown !== null && "~bifocal" in thrown && thrown["~bifocal"] === "error";
}
