import type { DefinitionMistake, ResourceModel, StoreContext } from "@bifocal/core/store";

/** The setting of PostgreSQL that the policies read. */
export const TENANT_SETTING = "bifocal.tenant";
/** The beginning of the names of all policies that migrations create. */
export const POLICY_PREFIX = "bifocal_tenant_";
/** The value that reaches the rows of all tenants. */
export const ALL_TENANTS = "*";

/** Determines the value of `bifocal.tenant` for each statement (docs/adr/0065). */
export class TenantSetting {
  #resource: ResourceModel | undefined;

  /** The setting has one value, so the resources must have the same tenants. */
  static mistakes(resources: readonly ResourceModel[]): readonly DefinitionMistake[] {
    const at = "sqlStore.rowLevelSecurity";
    const [first, ...others] = resources.filter(({ tenant }) => tenant !== undefined);
    if (first === undefined) {
      const problem = "No resource in this store has `tenant`.";
      return [{ at, problem, fix: "Set `tenant` in a resource, or remove `rowLevelSecurity`." }];
    }
    const other = others.find(({ tenant }) => tenant?.of !== first.tenant?.of);
    if (other === undefined) return [];
    const problem = `'${first.name}' and '${other.name}' have different functions in \`tenant.of\`.`;
    return [{ at, problem, fix: "Use the same function in all resources of the store." }];
  }

  open(resources: readonly ResourceModel[]): void {
    this.#resource = resources.find(({ tenant }) => tenant !== undefined);
  }

  /**
   * Returns undefined for a statement of the store itself, which then reaches no row of a tenant. `=` starts the name of
   * a tenant, so that none can be mistaken for all of them.
   */
  of(context: StoreContext | undefined): string | undefined {
    if (context === undefined || this.#resource === undefined) return undefined;
    const reach = context.tenants?.reachOf(this.#resource) ?? "none";
    if (reach === "none") return "";
    return reach === "all" ? ALL_TENANTS : `=${reach.tenant}`;
  }
}
