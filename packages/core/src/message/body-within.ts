import { BifocalError } from "../errors/bifocal-error.ts";
import { type MaybePromise, mapMaybePromise } from "../util/maybe-promise.ts";

/**
 * Reads the body of a request. Adapters should limit the body while they read it; the size is checked here in any case.
 */
export function bodyWithin(
  request: { readonly body: (limit: number) => MaybePromise<Uint8Array> },
  limit: number,
): MaybePromise<Uint8Array> {
  return mapMaybePromise(request.body(limit), (bytes) => {
    if (bytes.length > limit) throw tooLarge(limit);
    return bytes;
  });
}

export function tooLarge(limit: number): BifocalError {
  return new BifocalError("PAYLOAD_TOO_LARGE", `The body is too large. The maximum is ${limit} bytes.`, {
    headers: { Connection: "close" },
  });
}
