import { BifocalError } from "../errors/bifocal-error.ts";
import { type MaybePromise, thenNow } from "../util/maybe-promise.ts";

/** The body of a request, which an adapter is to bound as it comes; one that does not is refused all the same. */
export function bodyWithin(
  request: { readonly body: (limit: number) => MaybePromise<Uint8Array> },
  limit: number,
): MaybePromise<Uint8Array> {
  return thenNow(request.body(limit), (bytes) => {
    if (bytes.length > limit) throw tooLarge(limit);
    return bytes;
  });
}

export function tooLarge(limit: number): BifocalError {
  return new BifocalError("PAYLOAD_TOO_LARGE", `The body is too large. The maximum is ${limit} bytes.`, {
    headers: { Connection: "close" },
  });
}
