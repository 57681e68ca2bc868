import { isSystem, type Principal } from "../../definition/principal.ts";
import type { ResourceModel, TenantModel } from "../../model/model.ts";
import { type Filter, NEVER } from "../../operation/filter.ts";
import type { StatementTenants, TenantReach } from "../../store/store.ts";
import type { Log } from "../../util/log.ts";

/** The tenant of one caller, by the functions that resources define. Each runs once in an operation. */
export class TenantScope implements StatementTenants {
  readonly #principal: Principal | null;
  readonly #isTrusted: boolean;
  readonly #log: Log;
  readonly #known = new Map<TenantModel["of"], TenantReach>();

  /** @param isTrusted - whether Bifocal's own code calls, which reaches every tenant */
  constructor(principal: Principal | null, isTrusted: boolean, log: Log) {
    this.#principal = principal;
    this.#isTrusted = isTrusted;
    this.#log = log;
  }

  /** Returns the tenants whose rows the caller can reach; `all` for a resource without tenants. */
  reachOf({ name, tenant }: ResourceModel): TenantReach {
    if (tenant === undefined || this.#isTrusted) return "all";
    let reach = this.#known.get(tenant.of);
    if (reach === undefined) this.#known.set(tenant.of, (reach = this.#resolve(name, tenant.of)));
    return reach;
  }

  filterOf(resource: ResourceModel): Filter | undefined {
    const reach = this.reachOf(resource);
    if (reach === "all" || resource.tenant === undefined) return undefined;
    if (reach === "none") return NEVER;
    return { kind: "compare", field: resource.tenant.field, operator: "eq", value: reach.tenant };
  }

  #resolve(name: string, of: TenantModel["of"]): TenantReach {
    const principal = this.#principal;
    if (principal === null) return "none";
    if (isSystem(principal)) {
      const tenant = principal["~tenant"];
      return tenant === undefined ? "all" : { tenant };
    }
    try {
      const tenant = of(principal);
      if (tenant === undefined || tenant === null) return "none";
      if (typeof tenant === "string" || typeof tenant === "number") return { tenant };
      this.#log.error(`tenant.of of '${name}' returned a value that is neither a string nor a number.`);
    } catch (thrown) {
      this.#log.error(`tenant.of of '${name}' threw an error.`, { cause: thrown });
    }
    return "none";
  }
}
