/** Who calls. Authentication makes it; rules read it. `claims` holds whatever else the credential said. */
export interface Principal {
  readonly id: string;
  readonly roles?: readonly string[];
  /** What its credential may be used for (RFC 6749 §3.3); `hasScope` reads them. */
  readonly scopes?: readonly string[];
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** A principal that rules do not apply to: seeding, migrations, jobs. Validation still holds. Made by `asSystem` alone. */
export interface SystemPrincipal extends Principal {
  /** Why, for the log. */
  readonly "~system": string;
}

/** A symbol, so that nothing which a credential or a claim says can be taken for it. */
const SYSTEM = Symbol.for("bifocal.system");

/**
 * Runs a local call past every access rule; each operation is logged with the reason. Throws `TypeError` without one.
 *
 * @example await api.as(asSystem("seed the catalogue")).book.create(book);
 */
export function asSystem(reason: string): SystemPrincipal {
  if (typeof reason !== "string" || reason.trim() === "") {
    throw new TypeError('asSystem() needs a reason for bypassing the access rules: asSystem("seed the catalog").');
  }
  const principal = { id: "system", roles: [], "~system": reason };
  return Object.freeze(Object.defineProperty(principal, SYSTEM, { value: true }));
}

/** The roles, scopes and client of a credential as text. Two credentials of one principal can differ. */
export function rightsOf(principal: Principal | null): string {
  const { roles = [], scopes = [], claims = {} } = principal ?? {};
  // The application that acts (RFC 9068 §2.2, OpenID Connect Core §2).
  const client = claims["client_id"] ?? claims["azp"] ?? null;
  return JSON.stringify([[...roles].sort(), [...scopes].sort(), client]);
}

export function isSystem(principal: Principal | null): principal is SystemPrincipal {
  return principal !== null && (principal as { readonly [SYSTEM]?: unknown })[SYSTEM] === true;
}
