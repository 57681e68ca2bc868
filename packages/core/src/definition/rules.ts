import { noteMissingScope } from "./missing-scopes.ts";
import type { RuleAnswer, RuleContext } from "./rule.ts";
import { CALLER_ONLY, callText, describeRule } from "./rule-parts.ts";

/** Allows every caller, including anonymous ones. Responses may be cached publicly. */
export const allow = (): true => true;

/** Denies every caller. */
export const deny = (): false => false;

/** Allows every authenticated caller. */
export const signedIn: (context: RuleContext) => boolean = describeRule(
  ({ principal }: RuleContext): boolean => principal !== null,
  "signedIn",
  CALLER_ONLY,
);

/** Allows callers with at least one of the roles. */
export function hasRole(...roles: readonly [string, ...string[]]): (context: RuleContext) => boolean {
  const rule = ({ principal }: RuleContext): boolean => principal?.roles?.some((role) => roles.includes(role)) ?? false;
  return describeRule(rule, callText("hasRole", roles), { ...CALLER_ONLY, roles });
}

/** Allows credentials with the scope (RFC 6749 §3.3). Error responses name the missing scope (RFC 6750 §3.1). */
export function hasScope(scope: string): (context: RuleContext) => boolean {
  const rule = ({ principal }: RuleContext): boolean => {
    if (principal === null) return false;
    const has = principal.scopes?.some((one) => one === scope) ?? false;
    if (!has) noteMissingScope(principal, scope);
    return has;
  };
  return describeRule(rule, callText("hasScope", [scope]), { ...CALLER_ONLY, scope });
}

/** Rows whose `field` holds the caller's id. */
export function owner<const Field extends string>(
  field: Field,
): (context: RuleContext) => RuleAnswer<{ [K in Field]: { eq: string } }> {
  const rule = ({ principal }: RuleContext): RuleAnswer<{ [K in Field]: { eq: string } }> =>
    principal === null ? false : ({ [field]: { eq: principal.id } } as { [K in Field]: { eq: string } });
  return describeRule(rule, callText("owner", [field]), { kind: "plain", rules: [], fields: [field] });
}
