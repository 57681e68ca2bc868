import { partsOf } from "../../definition/rule-parts.ts";
import type { Rule } from "../../definition/rule.ts";
import type { RuleModel } from "../../model/model.ts";
import type { JsonObject } from "../../util/json.ts";
import type { PathEntry, DocumentedResource, SecuritySchemes } from "./openapi-types.ts";

/** Sets of scopes, of which one set is sufficient. An empty set means that no scope may be needed. */
type Alternatives = readonly (readonly string[])[];

const NONE: Alternatives = [[]];
/** More alternatives would be of no use to readers. */
const MAX_ALTERNATIVES = 16;

/**
 * Returns the `security` of an operation whose rules consist of `hasScope`, alone or in `and`, `or` and `through`.
 * Empty if the operation may need no scope. The requirements of other rules are unknown.
 */
export function security(
  { schemes }: DocumentedResource,
  ...rules: readonly RuleModel[]
): { readonly security?: JsonObject[] } {
  const needed = rules.map(({ kind, rule }) => (kind === "ask" ? scopesOf(rule) : NONE)).reduce(both, NONE);
  if (schemes.length === 0 || needed.some((scopes) => scopes.length === 0)) return {};
  return { security: needed.flatMap((scopes) => schemes.map((scheme) => ({ [scheme]: [...scopes] }))) };
}

function scopesOf(rule: Rule): Alternatives {
  const { kind, rules, scope } = partsOf(rule);
  if (scope !== undefined) return [[scope]];
  if (kind === "and" || kind === "through") return rules.map(scopesOf).reduce(both, NONE);
  if (kind !== "or") return NONE;
  const any = rules.flatMap(scopesOf);
  return any.length > MAX_ALTERNATIVES ? NONE : any;
}

function both(one: Alternatives, other: Alternatives): Alternatives {
  const joined = one.flatMap((first) => other.map((second) => [...new Set([...first, ...second])]));
  return joined.length > MAX_ALTERNATIVES ? NONE : joined;
}

/**
 * Adds the scopes that operations need to the schemes, because an OAuth flow lists all its scopes (OpenAPI 3.1
 * §4.8.29).
 */
export function withScopes(schemes: SecuritySchemes, paths: readonly PathEntry[]): SecuritySchemes {
  const needed: Record<string, string> = {};
  for (const [, item] of paths) {
    for (const operation of Object.values(item)) {
      const { security: alternatives = [] } = operation as { readonly security?: readonly Record<string, string[]>[] };
      for (const scope of alternatives.flatMap((one) => Object.values(one).flat())) needed[scope] = scope;
    }
  }
  return Object.fromEntries(
    Object.entries(schemes).map(([name, scheme]) => {
      if (scheme["type"] !== "oauth2") return [name, scheme];
      const flows = Object.entries(scheme["flows"] as Readonly<Record<string, { readonly scopes?: object }>>);
      const all = flows.map(([flow, described]) => [
        flow,
        { ...described, scopes: { ...needed, ...described.scopes } },
      ]);
      return [name, { ...scheme, flows: Object.fromEntries(all) as object }];
    }),
  );
}
