import type { BifocalError } from "../../errors/bifocal-error.ts";
import { STATUS } from "../../errors/codes.ts";
import type { ResultText } from "../execute/result.ts";
import { type MediaType, RESPONSE_JSON } from "./media-type.ts";

/** How the status of an answer is chosen. */
export type StatusCodes = "classic" | "draft-2026";

/** Of the working draft; it is not registered with IANA. */
const PARTIAL_SUCCESS = 294;

/** The status of a result; in `classic`, `application/json` has 200 for every one. */
export function statusOfResult({ isRefused, errors }: ResultText, type: MediaType, codes: StatusCodes): number {
  if (codes === "classic") return isRefused && type === RESPONSE_JSON ? STATUS.BAD_REQUEST : 200;
  if (!isRefused) return errors === undefined ? 200 : PARTIAL_SUCCESS;
  // "If the GraphQL document in the request cannot be parsed, status code 400 SHOULD be used", and 422 for all else.
  const isUnparsable = errors?.[0]?.message.startsWith("Syntax Error") === true;
  return isUnparsable ? STATUS.BAD_REQUEST : STATUS.VALIDATION_FAILED;
}

/** The status of a request that is none: its code says it, but the draft tells JSON that is none from JSON that is wrong. */
export function statusOfRefusal({ code, issues }: BifocalError, codes: StatusCodes): number {
  const isWellFormed = code === "BAD_REQUEST" && issues.length > 0;
  return codes === "draft-2026" && isWellFormed ? STATUS.VALIDATION_FAILED : STATUS[code];
}

/** The draft keeps `application/json` for the clients of old, and for answers that they take for success. */
export function typeFor(status: number, type: MediaType, codes: StatusCodes): MediaType {
  return codes === "draft-2026" && status >= 300 ? RESPONSE_JSON : type;
}
