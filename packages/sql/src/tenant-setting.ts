import type { ResourceModel, StoreContext } from "@bifocal/core/store";

/** The setting of PostgreSQL that the policies read. */
export const TENANT_SETTING = "bifocal.tenant";
/** The beginning of the names of all policies that migrations create. */
export const POLICY_PREFIX = "bifocal_tenant_";
/** The value that reaches the rows of all tenants. */
export const ALL_TENANTS = "*";

/** Determines the value of `bifocal.tenant` for each statement (docs/adr/0065). */
export class TenantSetting {
  #resource: ResourceModel | undefined;

  /** Throws if the resources don't have the same tenants, because the setting has one value. */
  open(resources: readonly ResourceModel[]): void {
    const [first, ...others] = resources.filter(({ tenant }) => tenant !== undefined);
    if (first === undefined) throw new Error("`rowLevelSecurity` needs a resource with `tenant` in this store.");
    const other = others.find(({ tenant }) => tenant?.of !== first.tenant?.of);
    if (other !== undefined) {
      throw new Error(
        `\`rowLevelSecurity\` needs the same \`tenant.of\` in all resources: '${first.name}' and '${other.name}' have different functions.`,
      );
    }
    this.#resource = first;
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
