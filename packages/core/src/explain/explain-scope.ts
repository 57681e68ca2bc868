import type { Principal } from "../definition/principal.ts";
import { createScopes } from "../engine/scope/row-scope.ts";
import type { Model, ResourceModel } from "../model/model.ts";
import type { Filter } from "../operation/filter.ts";
import { printFilter } from "../operation/print-filter.ts";
import { silentLog } from "../util/log.ts";

/** The rows that a principal can reach, whatever the rules say: living rows of its tenant. */
export interface ScopeExplanation {
  readonly filter: Filter;
  readonly where: string;
}

/** Returns undefined if the principal can reach every row. */
export function explainScope(
  model: Model,
  principal: Principal | null,
  resource: ResourceModel,
): ScopeExplanation | undefined {
  const filter = createScopes(model)?.(principal, false, silentLog).filterOf(resource);
  return filter && { filter, where: printFilter(filter) };
}
