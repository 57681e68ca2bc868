import { type Mutant, mutantsOf } from "./mutant.ts";

const TENANTS = "packages/core/test/engine/tenants.test.ts";
const SOFT_DELETE = "packages/core/test/engine/soft-delete.test.ts";

/** The rows that no statement reaches. */
export const scopes: readonly Mutant[] = mutantsOf(
  "packages/core/src/engine",
  [SOFT_DELETE],
  [
    [
      "statements only reach rows in the scope",
      "scope/scoped-store.ts",
      "return andFilters(this.#filterOf(resource), this.#scope.along(resource, filter));",
      "return this.#scope.along(resource, filter);",
    ],
    [
      "filters over relations only consider rows in the scope",
      "scope/scoped-store.ts",
      "return andFilters(this.#filterOf(resource), this.#scope.along(resource, filter));",
      "return andFilters(this.#filterOf(resource), filter);",
    ],
    [
      "`every` ignores related rows outside the scope",
      "scope/row-scope.ts",
      'quantifier: "none", filter: andFilters(within, notFilter(inner)) ?? ALWAYS',
      'quantifier: "every", filter: inner',
    ],
    [
      "deleted rows are read by their rule",
      "scope/deleted-rows.ts",
      "refuseNever(context, decision, `read deleted ${resource.plural}`);",
      "",
    ],
    [
      "rows are restored by their rule",
      "write/deletion/restore-row.ts",
      "andFilters(deletedFilter(resource), visible, decision)",
      "andFilters(deletedFilter(resource), visible)",
    ],
    [
      "a restored row references no deleted row",
      "write/deletion/restore-row.ts",
      'if (onDelete !== "setNull") {',
      "if (false) {",
    ],
    [
      "a row is found only in the caller's tenant",
      "scope/tenant-scope.ts",
      'return { kind: "compare", field: resource.tenant.field, operator: "eq", value: reach.tenant };',
      "return undefined;",
      [TENANTS],
    ],
    [
      "a caller without tenant finds nothing",
      "scope/tenant-scope.ts",
      'if (reach === "none") return NEVER;',
      'if (reach === "none") return undefined;',
      [TENANTS],
    ],
    [
      "a caller without tenant is rejected",
      "scope/require-tenant.ts",
      'if (context.scope?.tenants.reachOf(resource) === "none") throw denied(context, `access ${resource.plural}`);',
      "",
      [TENANTS],
    ],
    [
      "results that depend on the tenant are private",
      "scope/require-tenant.ts",
      "context.cacheability.personal = true;",
      "",
      [TENANTS],
    ],
    [
      "code can't create rows of another tenant",
      "scope/scoped-store.ts",
      'if (reach === "none" || rows.some((row) => row[tenant.field] !== reach.tenant)) throw otherTenant(resource);',
      "",
      [TENANTS],
    ],
    [
      "code can't move rows to another tenant",
      "scope/scoped-store.ts",
      "if (resource.tenant !== undefined && Object.hasOwn(set, resource.tenant.field)) throw otherTenant(resource);",
      "",
      [TENANTS],
    ],
    [
      "events of other tenants are not delivered",
      "watch/view.ts",
      "const filter = andFilters(context.scope?.filterOf(resource), visible, asked ?? ALWAYS);",
      "const filter = andFilters(visible, asked ?? ALWAYS);",
      [TENANTS],
    ],
    [
      "rows of other tenants prevent the deletion of a row that they reference",
      "write/deletion/plan-deletion.ts",
      "visible === undefined ? storeOfReferences(context, from.name) : context.storeOf(from.name)",
      "context.storeOf(from.name)",
      [TENANTS],
    ],
    [
      "rows of other tenants are not named",
      "write/deletion/name-holders.ts",
      "andFilters(context.scope?.filterOf(from), await visibleHolders(context, from, relation)) ?? ALWAYS",
      "await visibleHolders(context, from, relation)",
      [TENANTS],
    ],
  ],
);
