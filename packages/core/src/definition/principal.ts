import { kindOf } from "../util/check-call.ts";

/**
 * The authenticated caller. Authentication creates it and rules read it. `claims` holds all other data of the
 * credential.
 */
export interface Principal {
  readonly id: string;
  readonly roles?: readonly string[];
  /** The permitted uses of the credential (RFC 6749 §3.3); `hasScope` checks them. */
  readonly scopes?: readonly string[];
  readonly claims?: Readonly<Record<string, unknown>>;
}

/**
 * Throws a `TypeError` unless a value is a principal. `place` says where it was passed. A text in place of a list would
 * contain every part of itself.
 */
export function checkPrincipal(place: string, value: unknown): asserts value is Principal {
  if (!isPrincipal(value)) rejectPrincipal(place, value);
}

/** Returns the principal that application code passed; null for an anonymous caller. Throws like `checkPrincipal`. */
export function principalOrNull(place: string, value: Principal | null | undefined): Principal | null {
  // Rules compare with null, so an undefined principal would count as authenticated.
  if (value === null || value === undefined) return null;
  checkPrincipal(place, value);
  return value;
}

/** Called for each authenticated request. */
function isPrincipal(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { id, roles, scopes, claims } = value as Readonly<Record<keyof Principal, unknown>>;
  if (typeof id !== "string" || id === "" || !isNames(roles) || !isNames(scopes)) return false;
  return claims === undefined || kindOf(claims) === "an object";
}

function isNames(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every((one) => typeof one === "string"));
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function rejectPrincipal(place: string, value: unknown): never {
  const example = 'such as { id: "ann", roles: ["editor"] }';
  if (typeof value !== "object" || value === null || kindOf(value) !== "an object")
    throw new TypeError(`${capitalize(place)} must be an object with an 'id', ${example}; received ${kindOf(value)}.`);
  const { id, roles, scopes, claims } = value as Readonly<Record<keyof Principal, unknown>>;
  if (typeof id !== "string" || id === "")
    throw new TypeError(
      `The 'id' of ${place} must be a string, ${example}; received ${id === "" ? "an empty one" : kindOf(id)}.`,
    );
  for (const [name, list] of Object.entries({ roles, scopes }))
    if (!isNames(list))
      throw new TypeError(`'${name}' of ${place} must be a list of strings, ${example}; received ${kindOf(list)}.`);
  throw new TypeError(`'claims' of ${place} must be an object; received ${kindOf(claims)}.`);
}

/**
 * A principal that bypasses access rules, for seeding, migrations and jobs. Validation still applies. Only `asSystem`
 * creates it.
 */
export interface SystemPrincipal extends Principal {
  /** The reason, for the log. */
  readonly "~system": string;
  /** The tenant whose rows it reaches. Absent: those of every tenant. */
  readonly "~tenant"?: string | number;
}

/** A symbol, so that no credential or claim can imitate it. */
const SYSTEM = Symbol.for("bifocal.system");

/**
 * Returns a principal whose local calls bypass every access rule. Each operation is logged with the reason. With
 * `tenant`, it only reaches the rows of this tenant. Throws `TypeError` if the reason is empty.
 * @example await api.as(asSystem("seed the catalog")).book.create(book);
 */
export function asSystem(reason: string, { tenant }: { readonly tenant?: string | number } = {}): SystemPrincipal {
  if (typeof reason !== "string" || reason.trim() === "") {
    throw new TypeError('asSystem() needs a reason for bypassing the access rules: asSystem("seed the catalog").');
  }
  const principal = {
    id: "system",
    roles: [],
    "~system": reason,
    ...(tenant === undefined ? {} : { "~tenant": tenant }),
  };
  return Object.freeze(Object.defineProperty(principal, SYSTEM, { value: true }));
}

/** Returns the roles, scopes and client of a credential as text. Two credentials of one principal can differ. */
export function rightsOf(principal: Principal | null): string {
  const { roles = [], scopes = [], claims = {} } = principal ?? {};
  // The client application (RFC 9068 §2.2, OpenID Connect Core §2).
  const client = claims["client_id"] ?? claims["azp"] ?? null;
  return JSON.stringify([[...roles].sort(), [...scopes].sort(), client]);
}

export function isSystem(principal: Principal): principal is SystemPrincipal {
  return (principal as { readonly [SYSTEM]?: unknown })[SYSTEM] === true;
}
