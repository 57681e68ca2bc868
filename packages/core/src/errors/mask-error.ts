import { BifocalError, isBifocalError } from "./bifocal-error.ts";
import type { Log } from "../util/log.ts";
import { isStoreConflict } from "./store-conflict.ts";

/** The properties of the caller that a masked error needs. */
interface FailedCaller {
  readonly requestId: () => string;
  readonly log?: Log | undefined;
  /** Missing for local calls. */
  readonly request?: { readonly method: string; readonly path: string } | undefined;
}

/** The operation that failed, as far as it is known. */
interface FailedOperation {
  readonly kind: string;
  readonly resource: string;
}

/**
 * Converts a thrown error to the error that the client sees; nothing else does this. A `BifocalError` is returned
 * unchanged, and a `StoreConflict` becomes CONFLICT. Any other error is logged with its cause, and the client gets only
 * the request id to quote.
 */
export function maskError(
  thrown: unknown,
  caller: FailedCaller,
  otherLog: Log,
  operation?: FailedOperation,
): BifocalError {
  if (isBifocalError(thrown) && thrown.code !== "INTERNAL") return thrown;
  if (isStoreConflict(thrown)) {
    const issues = thrown.fields.map((field) => ({
      path: [field],
      message: "This value is already in use.",
      code: "not_unique",
    }));
    return new BifocalError("CONFLICT", thrown.message, { issues, cause: thrown });
  }
  const requestId = caller.requestId();
  const log = caller.log ?? otherLog;
  if (thrown instanceof Error && thrown.name === "TimeoutError") {
    log.warn("An operation timed out.", { requestId });
    return new BifocalError("TIMEOUT", "The operation timed out. Request less data, or try again.", { requestId });
  }
  if (thrown instanceof Error && thrown.name === "AbortError") {
    return new BifocalError("UNAVAILABLE", "The operation was canceled, because the client disconnected.", {
      requestId,
    });
  }
  log.error("An operation failed.", { requestId, ...placeOf(caller, operation), cause: thrown });
  return new BifocalError(
    "INTERNAL",
    "Something went wrong on the server. If you contact support, include the request id.",
    { requestId, cause: thrown },
  );
}

/** Query strings can contain values of rows, so they are not logged. */
function placeOf({ request }: FailedCaller, operation: FailedOperation | undefined): Readonly<Record<string, string>> {
  return {
    ...(request === undefined ? {} : { method: request.method, path: request.path }),
    ...(operation === undefined ? {} : { operation: operation.kind, resource: operation.resource }),
  };
}
