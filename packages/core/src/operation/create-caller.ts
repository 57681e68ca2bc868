import { randomUUID } from "../runtime/crypto.ts";
import type { Principal } from "../definition/principal.ts";
import type { Validity } from "./validity.ts";
import type { Caller } from "./run.ts";

/** Creates a caller without a request id. The id is generated on first use. */
export function createCaller(
  principal: Principal | null,
  signal: AbortSignal | undefined,
  { expires, recheck, address }: Validity & Pick<Caller, "address"> = {},
): Caller {
  let id: string | undefined;
  return { principal, signal, expires, recheck, address, requestId: () => (id ??= randomUUID()) };
}

/** Copies a caller with another signal, for work that lasts longer or shorter than its request. */
export function withSignal(caller: Caller, signal: AbortSignal | undefined): Caller {
  const { principal, expires, recheck, address, log } = caller;
  return {
    principal,
    signal,
    expires,
    recheck,
    address,
    log,
    onMalformed: () => caller.onMalformed?.(),
    requestId: () => caller.requestId(),
  };
}
