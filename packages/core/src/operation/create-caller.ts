import { randomUUID } from "node:crypto";
import type { Principal } from "../definition/principal.ts";
import type { Validity } from "./validity.ts";
import type { Caller } from "./run.ts";

/** A caller whose request has no id yet: one is made when somebody asks for it. */
export function createCaller(
  principal: Principal | null,
  signal: AbortSignal | undefined,
  { expires, recheck, address }: Validity & Pick<Caller, "address"> = {},
): Caller {
  let id: string | undefined;
  return { principal, signal, expires, recheck, address, requestId: () => (id ??= randomUUID()) };
}

/** The same caller, for work that lasts longer than its request, or shorter. */
export function withSignal(
  { principal, expires, recheck, address, log, onMalformed, requestId }: Caller,
  signal: AbortSignal | undefined,
): Caller {
  return { principal, signal, expires, recheck, address, log, onMalformed, requestId };
}
