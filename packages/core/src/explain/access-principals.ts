import type { Principal } from "../definition/principal.ts";
import type { RequiredCredentials } from "../model/access/required-credentials.ts";

/**
 * Returns the principals of an access table: an anonymous caller, one that is signed in without roles or scopes, and one
 * for each role and each scope.
 */
export function accessPrincipals({ roles, scopes }: RequiredCredentials): Readonly<Record<string, Principal | null>> {
  const id = "caller";
  return {
    anonymous: null,
    "signed in": { id },
    ...Object.fromEntries(roles.map((role) => [role, { id, roles: [role] }])),
    ...Object.fromEntries(scopes.map((scope) => [scope, { id, scopes: [scope] }])),
  };
}
