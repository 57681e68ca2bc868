import { partsOf } from "../../definition/rule-parts.ts";
import type { Rule } from "../../definition/rule.ts";
import type { Model, ResourceModel, RuleModel } from "../../model/model.ts";
import type { JsonObject } from "../../util/json.ts";
import type { PathEntry, DocumentedResource, SecuritySchemes } from "./openapi-types.ts";

/** Sets of scopes, of which one set is sufficient. An empty set means that no scope may be needed. */
type Alternatives = readonly (readonly string[])[];

const NONE: Alternatives = [[]];
/** More alternatives would be of no use to readers. */
const MAX_ALTERNATIVES = 16;

/**
 * Returns the `security` of an operation: the scopes of `hasScope`, alone or in `and`, `or` and `through`, or any
 * credential if the rules refuse anonymous callers. Otherwise, such as for rules that the application wrote itself, a
 * credential is optional, which is the document's default.
 */
export function security(
  { schemes }: Pick<DocumentedResource, "schemes">,
  ...rules: readonly RuleModel[]
): { readonly security?: JsonObject[] } {
  const needed = rules.map(({ kind, rule }) => (kind === "ask" ? scopesOf(rule) : NONE)).reduce(both, NONE);
  const needsScopes = needed.every((scopes) => scopes.length > 0);
  if (schemes.length === 0 || !(needsScopes || rules.some(({ rule }) => refusesAnonymous(rule)))) return {};
  const alternatives = needsScopes ? needed : NONE;
  return { security: alternatives.flatMap((scopes) => schemes.map((scheme) => ({ [scheme]: [...scopes] }))) };
}

/** Returns the `security` of a read: empty if it returns the same to all callers. */
export function readSecurity(
  place: Pick<DocumentedResource, "schemes" | "model" | "resource">,
  ...rules: readonly RuleModel[]
): { readonly security?: JsonObject[] } {
  const isPublic = rules.every(isConstant) && isPublicToRead(place.model, place.resource);
  return place.schemes.length > 0 && isPublic ? { security: [] } : security(place, ...rules);
}

/** Returns whether no rule asks about the caller, for a resource and all others that its relations reach. */
function isPublicToRead(model: Model, resource: ResourceModel): boolean {
  const reached = new Set([resource]);
  for (const { access, visibleFields, relations, tenant } of reached) {
    const rules = [access.read, access.deleted, ...visibleFields.map(({ read }) => read)];
    if (tenant !== undefined || !rules.every(isConstant)) return false;
    for (const { target, read } of relations.values()) {
      if (!isConstant(read)) return false;
      reached.add(model.resources.get(target) as ResourceModel);
    }
  }
  return true;
}

function isConstant({ kind }: RuleModel): boolean {
  return kind !== "ask";
}

/** Returns whether a rule certainly refuses callers without a credential. Runs only rules of the library. */
export function refusesAnonymous(rule: Rule): boolean {
  const { kind, rules, callerOnly = false, fields } = partsOf(rule);
  if (kind === "and" || kind === "through") return rules.some(refusesAnonymous);
  if (kind === "or") return rules.length > 0 && rules.every(refusesAnonymous);
  return kind === "plain" && (callerOnly || fields !== undefined) && rule({ principal: null }) === false;
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
