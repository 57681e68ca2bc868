import type { BifocalError } from "../../errors/bifocal-error.ts";
import { ERROR_STATUS } from "../../errors/codes.ts";
import type { ResultText } from "../execute/result.ts";
import { type MediaType, RESPONSE_JSON } from "./media-type.ts";

/** Selects the status codes of responses. */
export type StatusCodes = "classic" | "draft-2026";

/** From the working draft; it is not registered with IANA. */
const PARTIAL_SUCCESS = 294;

/** Returns the status of a result. In `classic`, it is always 200 for `application/json`. */
export function statusOfResult({ isRefused, errors }: ResultText, type: MediaType, codes: StatusCodes): number {
  if (codes === "classic") return isRefused && type === RESPONSE_JSON ? ERROR_STATUS.BAD_REQUEST : 200;
  if (!isRefused) return errors === undefined ? 200 : PARTIAL_SUCCESS;
  // The draft requires 400 for a document with a syntax error ("SHOULD"), and 422 for all other errors.
  const isUnparsable = errors?.[0]?.message.startsWith("Syntax Error") === true;
  return isUnparsable ? ERROR_STATUS.BAD_REQUEST : ERROR_STATUS.VALIDATION_FAILED;
}

/**
 * Returns the status of a rejected request. The draft distinguishes well-formed JSON with invalid parameters (422) from
 * malformed JSON.
 */
export function statusOfRefusal({ code, issues }: BifocalError, codes: StatusCodes): number {
  const isWellFormed = code === "BAD_REQUEST" && issues.length > 0;
  return codes === "draft-2026" && isWellFormed ? ERROR_STATUS.VALIDATION_FAILED : ERROR_STATUS[code];
}

/**
 * Returns the media type of a response. In the draft, `application/json` is only for legacy clients and for successful
 * responses.
 */
export function typeFor(status: number, type: MediaType, codes: StatusCodes): MediaType {
  return codes === "draft-2026" && status >= 300 ? RESPONSE_JSON : type;
}
