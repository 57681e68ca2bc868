import type { AnyFilter, FilterOf } from "./filters.ts";
import { noteMissingScope } from "./missing-scopes.ts";
import type { Principal } from "./principal.ts";
import { callText, describeRule } from "./rule-parts.ts";

/** The argument of a rule. `input` is the validated input of a create, update or action; otherwise undefined. */
export interface RuleContext {
  readonly principal: Principal | null;
  readonly input?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * `true`, `false` or a filter that rows must match. Anything else, including `undefined`, denies, and so does an error.
 */
export type RuleAnswer<Filter = AnyFilter> = boolean | Filter;

/**
 * Decides whether the caller may do something. A returned filter becomes part of the statement that reads or writes.
 * @example update: ({ principal }) => ({ authorId: { eq: principal?.id } })
 */
export type Rule<Filter = AnyFilter> = (context: RuleContext) => RuleAnswer<Filter> | Promise<RuleAnswer<Filter>>;

/** A rule over the rows of one resource. Related rows are filtered by the relation's name. */
export type RowRule<Row, RelationName extends string> = Rule<FilterOf<Row, RelatedFilters<RelationName>>>;

// If no relations are given, TypeScript infers `string` as their names, which would include `and` and `or`.
type RelatedFilters<Name extends string> = string extends Name ? unknown : { [K in Name]: AnyFilter };

/** Allows every caller, including anonymous ones. Responses may be cached publicly. */
export const allow = (): true => true;

/** Denies every caller. */
export const deny = (): false => false;

/** Allows every authenticated caller. */
export const signedIn = ({ principal }: RuleContext): boolean => principal !== null;

/** Allows callers with at least one of the roles. */
export function hasRole(...roles: readonly [string, ...string[]]): (context: RuleContext) => boolean {
  const rule = ({ principal }: RuleContext): boolean => principal?.roles?.some((role) => roles.includes(role)) ?? false;
  return describeRule(rule, callText("hasRole", roles));
}

/** Allows credentials with the scope (RFC 6749 §3.3). Error responses name the missing scope (RFC 6750 §3.1). */
export function hasScope(scope: string): (context: RuleContext) => boolean {
  const rule = ({ principal }: RuleContext): boolean => {
    if (principal === null) return false;
    const has = principal.scopes?.includes(scope) ?? false;
    if (!has) noteMissingScope(principal, scope);
    return has;
  };
  return describeRule(rule, callText("hasScope", [scope]), { kind: "plain", rules: [], scope });
}

/** Rows whose `field` holds the caller's id. */
export function owner<const Field extends string>(
  field: Field,
): (context: RuleContext) => RuleAnswer<{ [K in Field]: { eq: string } }> {
  const rule = ({ principal }: RuleContext): RuleAnswer<{ [K in Field]: { eq: string } }> =>
    principal === null ? false : ({ [field]: { eq: principal.id } } as { [K in Field]: { eq: string } });
  return describeRule(rule, callText("owner", [field]), { kind: "plain", rules: [], fields: [field] });
}
