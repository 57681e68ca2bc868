import type { Principal } from "./principal.ts";

/** By the principal of one request: an answer that refuses it can say which scopes would have helped. */
const MISSING = new WeakMap<Principal, Set<string>>();

export function noteMissingScope(principal: Principal, scope: string): void {
  const known = MISSING.get(principal);
  if (known === undefined) MISSING.set(principal, new Set([scope]));
  else known.add(scope);
}

/** The scopes that rules asked this principal for and did not find, in the order they were asked for. */
export function missingScopes(principal: Principal): readonly string[] {
  return [...(MISSING.get(principal) ?? [])];
}
