/** Who calls. Authentication makes it; rules read it. `claims` holds whatever else the credential said. */
export interface Principal {
  readonly id: string;
  readonly roles?: readonly string[];
  /** What its credential may be used for (RFC 6749 §3.3); `hasScope` reads them. */
  readonly scopes?: readonly string[];
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** A principal that rules do not apply to: seeding, migrations, jobs. Validation still holds. */
export interface SystemPrincipal extends Principal {
  readonly "~system": string;
}

/**
 * Runs a local call past every access rule; the reason is logged.
 *
 * @example await api.as(asSystem("seed the catalogue")).book.create(book);
 */
export function asSystem(reason: string): SystemPrincipal {
  return { id: "system", roles: [], "~system": reason };
}

export function isSystem(principal: Principal | null): principal is SystemPrincipal {
  return principal !== null && "~system" in principal;
}
