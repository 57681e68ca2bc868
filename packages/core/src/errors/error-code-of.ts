import { isBifocalError } from "./bifocal-error.ts";
import type { ErrorCode } from "./codes.ts";
import { isStoreConflict } from "./store-conflict.ts";

/** Returns the code that the client gets for a thrown error, or undefined if the error is not one of Bifocal's. */
export function errorCodeOf(thrown: unknown): ErrorCode | undefined {
  if (isBifocalError(thrown)) return thrown.code;
  return isStoreConflict(thrown) ? "CONFLICT" : undefined;
}
