import { type BifocalError, isBifocalError } from "../errors/bifocal-error.ts";
import { SOCKET_COST } from "../limits/cost.ts";
import { rateLimited, type RateLimiter } from "../limits/rate-limiter.ts";
import type { Overload } from "./overload.ts";

/**
 * Returns an error if an address cannot open a WebSocket at the moment. The address is charged, because the caller is
 * not known yet.
 */
export async function refuseSocket(
  address: string | undefined,
  { overload, limiter }: { readonly overload: Overload; readonly limiter: RateLimiter | undefined },
): Promise<BifocalError | undefined> {
  const refusal = overload.refusal();
  if (refusal !== undefined) return refusal;
  try {
    const allowance = await limiter?.take({ principal: null, address }, SOCKET_COST);
    return allowance?.isExceeded === true ? rateLimited(allowance) : undefined;
  } catch (thrown) {
    if (isBifocalError(thrown)) return thrown;
    throw thrown;
  }
}
