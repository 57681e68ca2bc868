import { BifocalError, isBifocalError } from "../errors/bifocal-error.ts";
import type { Caller } from "../operation/run.ts";
import { StoreConflict } from "../store/store.ts";
import type { Log } from "../util/log.ts";

/**
 * The one place where what was thrown becomes what callers see. Our own errors pass; a taken key is a CONFLICT;
 * anything else is logged with its cause, and the caller gets the request id to quote.
 */
export function maskError(thrown: unknown, caller: Pick<Caller, "requestId" | "log">, otherLog: Log): BifocalError {
  if (isBifocalError(thrown) && thrown.code !== "INTERNAL") return thrown;
  if (isStoreConflict(thrown)) {
    const issues = thrown.fields.map((field) => ({ path: [field], message: "It is taken.", code: "not_unique" }));
    return new BifocalError("CONFLICT", thrown.message, { issues, cause: thrown });
  }
  const requestId = caller.requestId();
  const log = caller.log ?? otherLog;
  if (thrown instanceof Error && thrown.name === "TimeoutError") {
    log.warn("An operation took too long.", { requestId });
    return new BifocalError("TIMEOUT", "The operation took too long. Ask for less, or try again.", { requestId });
  }
  if (thrown instanceof Error && thrown.name === "AbortError") {
    return new BifocalError("UNAVAILABLE", "The operation was given up, because its caller has gone.", { requestId });
  }
  log.error("An operation failed.", { requestId, cause: thrown });
  return new BifocalError("INTERNAL", "Something went wrong. Quote the request id.", { requestId, cause: thrown });
}

/** By brand: a store driver may hold another copy of this package. */
export function isStoreConflict(thrown: unknown): thrown is StoreConflict {
  if (thrown instanceof StoreConflict) return true;
  return (
    typeof thrown === "object" && thrown !== null && "~bifocal" in thrown && thrown["~bifocal"] === "store-conflict"
  );
}
