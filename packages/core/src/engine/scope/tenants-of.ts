import type { Model } from "../../model/model.ts";
import type { Caller } from "../../operation/run.ts";
import type { Log } from "../../util/log.ts";
import type { TenantReach } from "../../store/store.ts";
import { TenantScope } from "./tenant-scope.ts";

/** Creates a function that returns the tenants of a caller, one for each resource with tenants. */
export function createTenantsOf(model: Model, log: Log): (caller: Caller) => readonly TenantReach[] {
  const resources = [...model.resources.values()].filter(({ tenant }) => tenant !== undefined);
  return (caller) => {
    const scope = new TenantScope(caller.principal, false, caller.log ?? log);
    return resources.map((resource) => scope.reachOf(resource));
  };
}
