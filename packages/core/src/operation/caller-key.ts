import type { Caller } from "./run.ts";

/**
 * Returns the key by which a caller is counted: its principal, or the address of an anonymous caller. Undefined if it
 * has neither.
 */
export function callerKey({ principal, address }: Pick<Caller, "principal" | "address">): string | undefined {
  if (principal === null) return address;
  return JSON.stringify([principal.id, principal.claims?.["iss"] ?? null]);
}
