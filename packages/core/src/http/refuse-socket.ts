import { type BifocalError, isBifocalError } from "../errors/bifocal-error.ts";
import { SOCKET_COST } from "../operation/cost.ts";
import { rateLimited, type RateLimiter } from "../operation/rate-limiter.ts";
import type { MaybePromise } from "../util/maybe-promise.ts";
import type { Overload } from "./overload.ts";

/** Why an address may open no WebSocket at the moment. Who calls is not known yet, so the address pays for it. */
export function refuseSocket(
  address: string | undefined,
  { overload, limiter }: { readonly overload: Overload; readonly limiter: RateLimiter | undefined },
): MaybePromise<BifocalError | undefined> {
  const refusal = overload.refusal();
  if (refusal !== undefined) return refusal;
  return limiter?.take({ principal: null, address }, SOCKET_COST)?.then(
    (allowance) => (allowance?.isExceeded === true ? rateLimited(allowance) : undefined),
    (thrown: unknown) => {
      if (isBifocalError(thrown)) return thrown;
      throw thrown;
    },
  );
}
