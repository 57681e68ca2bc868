import { isDeepStrictEqual } from "../runtime/is-deep-strict-equal.ts";
import type { Principal } from "../definition/principal.ts";

/** Claims that do not identify the caller. A server may change them in each response. */
const TIMES = ["exp", "iat", "nbf"];

/**
 * Whether a credential still identifies the same caller, because sockets and streams were opened with the rights of the
 * first one.
 */
export function isSameCaller(first: Principal, now: Principal): boolean {
  return isDeepStrictEqual(comparable(first), comparable(now));
}

/** Roles and scopes are compared as sets. */
function comparable(principal: Principal): unknown {
  const { roles, scopes, claims } = principal;
  const lasting = claims && Object.entries(claims).filter(([name]) => !TIMES.includes(name));
  return {
    ...principal,
    roles: new Set(roles),
    scopes: new Set(scopes),
    claims: lasting && Object.fromEntries(lasting),
  };
}
