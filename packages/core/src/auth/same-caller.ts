import { isDeepStrictEqual } from "node:util";
import type { Principal } from "../definition/principal.ts";

/** The times of a token say nothing about who calls, and a server may move them with each answer. */
const TIMES = ["exp", "iat", "nbf"];

/** Whether a credential still makes the same caller: what it opened was opened with the rights of the first. */
export function isSameCaller(first: Principal, now: Principal): boolean {
  return isDeepStrictEqual(comparable(first), comparable(now));
}

/** Roles and scopes are sets. */
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
