import type { Principal } from "./principal.ts";

/** The scopes by the principal of a request, so that an error response can list the scopes that the request lacked. */
const MISSING = new WeakMap<Principal, Set<string>>();

export function noteMissingScope(principal: Principal, scope: string): void {
  const known = MISSING.get(principal);
  if (known === undefined) MISSING.set(principal, new Set([scope]));
  else known.add(scope);
}

/** Returns the scopes that rules required and this principal lacks, in the order in which they were checked. */
export function missingScopes(principal: Principal): readonly string[] {
  return [...(MISSING.get(principal) ?? [])];
}
