import { isBifocalError } from "../../errors/bifocal-error.ts";
import type { ErrorCode } from "../../errors/codes.ts";
import type { Caller } from "../../operation/run.ts";

/** Refusals of requests that had to be read first. */
const MALFORMED: ReadonlySet<ErrorCode> = new Set(["BAD_REQUEST", "PAYLOAD_TOO_LARGE"]);

/** Charges a caller for a request that is not a GraphQL request. Asking for an unknown persisted document is free. */
export function noteMalformed(thrown: unknown, caller: Caller): void {
  if (isBifocalError(thrown) && MALFORMED.has(thrown.code)) caller.onMalformed?.();
}
