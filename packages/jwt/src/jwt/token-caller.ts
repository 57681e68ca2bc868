import {
  type Authenticated,
  BifocalError,
  isSameCaller,
  type MaybePromise,
  type Principal,
} from "@bifocal/core/authenticator";
import type { z } from "zod";
import type { JwtClaims } from "./verify-token.ts";

/** The standard claims and those of the schema. */
export type ClaimsOf<Claims extends z.ZodType> = JwtClaims & z.output<Claims>;

/** Converts the claims of a token to a principal. */
export interface TokenCallerOptions<Claims extends z.ZodType> {
  /** A schema for claims of your own. A token that does not match it is a 401. Default: none. */
  readonly claims?: Claims;
  /**
   * Returns the principal. Default: `sub` is the id, `roles` are the roles, `scope` or `scp` are the scopes, and all claims are
   * kept. With several issuers, combine `iss` and `sub` for a unique id.
   */
  readonly principal?: (claims: ClaimsOf<Claims>) => Principal;
  /**
   * Returns whether the principal is still active. Called for each request, and every four seconds while a socket or a stream is
   * open. Default: a token is valid until it expires.
   */
  readonly isActive?: (principal: Principal, claims: ClaimsOf<Claims>) => MaybePromise<boolean>;
}

export interface TokenCaller<Claims extends z.ZodType> {
  readonly toAuthenticated: (
    claims: JwtClaims,
    expires: Date | undefined,
    recheck?: () => Promise<JwtClaims>,
  ) => Promise<Authenticated>;
  readonly claimsOf: (principal: Principal | null) => ClaimsOf<Claims> | undefined;
}

export function createTokenCaller<Claims extends z.ZodType>(options: TokenCallerOptions<Claims>): TokenCaller<Claims> {
  const { claims: schema, principal: toPrincipal = standardPrincipal, isActive } = options;
  const known = new WeakMap<Principal, ClaimsOf<Claims>>();

  function typed(claims: JwtClaims): ClaimsOf<Claims> | undefined {
    if (schema === undefined) return claims as ClaimsOf<Claims>;
    const { success, data } = schema.safeParse(claims);
    return success ? ({ ...claims, ...(data as object) } as ClaimsOf<Claims>) : undefined;
  }

  function isStill(principal: Principal, claims: ClaimsOf<Claims> | undefined): boolean {
    return claims !== undefined && isSameCaller(principal, { ...toPrincipal(claims) });
  }

  return {
    async toAuthenticated(given, expires, recheck) {
      const claims = typed(given);
      if (claims === undefined) throw new BifocalError("UNAUTHENTICATED", "The token lacks required claims.");
      const principal = { ...toPrincipal(claims) };
      known.set(principal, claims);
      const checkActive = async (): Promise<boolean> => isActive === undefined || (await isActive(principal, claims));
      if (!(await checkActive())) {
        throw new BifocalError("UNAUTHENTICATED", "The token belongs to an inactive user.");
      }
      const again = async (): Promise<boolean> => {
        if (recheck !== undefined && !isStill(principal, typed(await recheck()))) return false;
        return checkActive();
      };
      const mayEnd = isActive !== undefined || recheck !== undefined;
      return { principal, ...(expires === undefined ? {} : { expires }), ...(mayEnd ? { recheck: again } : {}) };
    },
    claimsOf(principal) {
      if (principal === null) return undefined;
      // A principal that was made by hand, in a test or for a local call, may have them too.
      return known.get(principal) ?? (principal.claims && typed(principal.claims as JwtClaims));
    },
  };
}

function standardPrincipal(claims: JwtClaims): Principal {
  const roles = textsOf(claims["roles"]);
  return { id: claims.sub, ...(roles === undefined ? {} : { roles }), scopes: scopesOf(claims), claims };
}

/** Returns the scopes. `scope` is a string with spaces (RFC 8693 §4.2). Some issuers send a list, or name it `scp`. */
export function scopesOf(claims: Readonly<Record<string, unknown>>): readonly string[] {
  const scope = claims["scope"] ?? claims["scp"];
  return typeof scope === "string" ? scope.split(" ").filter((one) => one !== "") : (textsOf(scope) ?? []);
}

function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((one) => typeof one === "string") ? value : undefined;
}
