import type { ResourceModel } from "../../model/model.ts";
import { denied } from "../access/decide.ts";
import type { OperationContext } from "../operation-context.ts";

/**
 * Rejects a caller without tenant. No shared cache may store a result that depends on the tenant of its caller, also
 * along relations.
 */
export function requireTenant(context: OperationContext, resource: ResourceModel): void {
  if (!resource.reachesTenants) return;
  context.cacheability.personal = true;
  if (context.scope?.tenants.reachOf(resource) === "none") throw denied(context, `access ${resource.plural}`);
}
