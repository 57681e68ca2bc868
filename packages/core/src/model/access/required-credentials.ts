import { partsOf } from "../../definition/rule-parts.ts";
import type { Rule } from "../../definition/rule.ts";
import type { Model } from "../model.ts";
import { listRights } from "./rights.ts";

export interface RequiredCredentials {
  readonly roles: readonly string[];
  readonly scopes: readonly string[];
}

/** Returns the roles and scopes that `hasRole` and `hasScope` name in any rule, in the order of the definitions. */
export function requiredCredentials(model: Model): RequiredCredentials {
  const roles = new Set<string>();
  const scopes = new Set<string>();
  const visit = (rule: Rule): void => {
    const { rules, roles: own = [], scope } = partsOf(rule);
    for (const role of own) roles.add(role);
    if (scope !== undefined) scopes.add(scope);
    for (const part of rules) visit(part);
  };
  for (const resource of model.resources.values()) {
    if (resource.historyOf !== undefined) continue;
    for (const { rules } of listRights(model, resource)) for (const { rule } of rules) visit(rule.rule);
  }
  return { roles: [...roles], scopes: [...scopes] };
}
