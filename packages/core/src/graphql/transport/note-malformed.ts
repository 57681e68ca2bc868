import { isBifocalError } from "../../errors/bifocal-error.ts";
import type { ErrorCode } from "../../errors/codes.ts";
import type { Caller } from "../../operation/run.ts";

/** Errors that are found only after the request has been read. */
const MALFORMED: ReadonlySet<ErrorCode> = new Set(["BAD_REQUEST", "PAYLOAD_TOO_LARGE"]);

/** Charges a caller for an invalid GraphQL request. A request for an unknown persisted document is free. */
export function noteMalformed(thrown: unknown, caller: Caller): void {
  if (isBifocalError(thrown) && MALFORMED.has(thrown.code)) caller.onMalformed?.();
}
