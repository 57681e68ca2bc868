import type { Issue } from "@bifocal/core";
import { isBifocalError } from "../client-error.ts";

/** Messages by field. Those of objects are nested. */
export interface FieldErrors {
  [field: string]: string | FieldErrors;
}

export interface HttpErrorBody {
  readonly code: string;
  readonly errors?: FieldErrors;
}

/** Has the form of react-admin's `HttpError`, so that forms show the message of each field. */
export class HttpError extends Error {
  override readonly name = "HttpError";

  /** Undefined if the server can't be reached. */
  declare readonly status: number | undefined;
  declare readonly body: HttpErrorBody;

  constructor(message: string, status: number | undefined, body: HttpErrorBody, cause: unknown) {
    super(message, { cause });
    Object.assign(this, { status, body });
  }
}

/** Converts a `BifocalError`. Returns other errors unchanged. */
export function toHttpError(thrown: unknown): unknown {
  if (!isBifocalError(thrown)) return thrown;
  const { message, status, code, issues } = thrown;
  const errors = fieldErrors(message, issues);
  return new HttpError(message, status, { code, ...(errors === undefined ? {} : { errors }) }, thrown);
}

function fieldErrors(message: string, issues: readonly Issue[]): FieldErrors | undefined {
  if (issues.length === 0) return undefined;
  const errors: FieldErrors = { root: { serverError: message } };
  for (const { path, message: own } of issues) {
    const names = path.map(String);
    const last = names.pop();
    let parent: FieldErrors = errors;
    for (const name of names) {
      const inner = parent[name];
      parent = typeof inner === "object" ? inner : (parent[name] = {});
    }
    if (last !== undefined) parent[last] = own;
  }
  return errors;
}
