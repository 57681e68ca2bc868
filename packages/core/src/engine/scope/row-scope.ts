import type { Model, RelationModel, ResourceModel } from "../../model/model.ts";
import { resourceOf } from "../../model/resource-of.ts";
import { ALWAYS, andFilters, type Filter, notFilter, isRelated, type RelatedValue } from "../../operation/filter.ts";
import type { Store } from "../../store/store.ts";
import type { Principal } from "../../definition/principal.ts";
import type { Log } from "../../util/log.ts";
import { livingFilter } from "./living.ts";
import { TenantScope } from "./tenant-scope.ts";
import { withAllTenants } from "./with-all-tenants.ts";
import { ScopedStore, type StatementScope } from "./scoped-store.ts";

/**
 * The rows that an operation can reach at all, whatever its rules and filters say: living rows of the caller's tenant.
 * Every store call of the engine passes it, so that no feature can forget it (docs/adr/0060).
 */
export class RowScope implements StatementScope {
  readonly tenants: TenantScope;
  readonly #model: Model;
  readonly #views: Readonly<Record<"scoped" | "withDeleted" | "ofAllTenants" | "whole", WeakMap<Store, Store>>>;

  constructor(model: Model, tenants: TenantScope) {
    this.#model = model;
    this.tenants = tenants;
    this.#views = {
      scoped: new WeakMap(),
      withDeleted: new WeakMap(),
      ofAllTenants: new WeakMap(),
      whole: new WeakMap(),
    };
  }

  /** Returns a view of a store that only reaches rows in the scope. The same store always gives the same view. */
  view(store: Store): Store {
    return viewOf(this.#views.scoped, store, () => new ScopedStore(store, this, (resource) => this.filterOf(resource)));
  }

  /** Returns a view that also reaches soft-deleted rows, for the rows of a statement but not along its relations. */
  viewWithDeleted(store: Store): Store {
    const filterOf = (resource: ResourceModel): Filter | undefined => this.tenants.filterOf(resource);
    return viewOf(this.#views.withDeleted, store, () => new ScopedStore(store, this, filterOf));
  }

  /**
   * Returns a view of the rows of all tenants, for the references to a row that is deleted or renamed. A row without
   * tenant can be referenced by rows of several tenants, and none of these references may be left dangling.
   */
  viewOfReferences(store: Store, withDeleted: boolean): Store {
    const views = withDeleted ? this.#views.whole : this.#views.ofAllTenants;
    const filterOf = withDeleted ? (): undefined => undefined : livingFilter;
    return viewOf(views, store, () => new ScopedStore(store, this, filterOf, withAllTenants));
  }

  filterOf(resource: ResourceModel): Filter | undefined {
    return andFilters(livingFilter(resource), this.tenants.filterOf(resource));
  }

  along(resource: ResourceModel, filter: Filter | undefined): Filter | undefined {
    return filter === undefined || !isRelated(filter) ? filter : this.#rewrite(resource, filter);
  }

  value<Value extends Pick<RelatedValue, "relation" | "filter">>(value: Value): Value {
    const target = resourceOf(this.#model, value.relation.target);
    return { ...value, filter: andFilters(this.filterOf(target), this.along(target, value.filter)) };
  }

  #rewrite(resource: ResourceModel, filter: Filter): Filter {
    switch (filter.kind) {
      case "and":
      case "or":
        return { kind: filter.kind, filters: filter.filters.map((inner) => this.#rewrite(resource, inner)) };
      case "not":
        return notFilter(this.#rewrite(resource, filter.filter));
      case "related": {
        const target = resourceOf(this.#model, (resource.relations.get(filter.relation) as RelationModel).target);
        const inner = this.#rewrite(target, filter.filter);
        const within = this.filterOf(target);
        if (within === undefined) return { ...filter, filter: inner };
        // Rows outside the scope don't count: `every` row matches if `none` within the scope fails to match.
        if (filter.quantifier === "every") {
          return { ...filter, quantifier: "none", filter: andFilters(within, notFilter(inner)) ?? ALWAYS };
        }
        return { ...filter, filter: andFilters(within, inner) ?? ALWAYS };
      }
      case "compare":
        return filter.related === undefined ? filter : { ...filter, related: this.value(filter.related) };
      case "constant":
        return filter;
    }
  }
}

/** Returns the scope of a caller. `isTrusted`: Bifocal's own code calls. */
export type ScopeFor = (principal: Principal | null, isTrusted: boolean, log: Log) => RowScope;

/** Returns undefined if no resource of a model limits its rows, which then costs nothing. */
export function createScopes(model: Model): ScopeFor | undefined {
  const resources = [...model.resources.values()];
  if (!resources.some(({ softDelete, tenant }) => softDelete !== undefined || tenant !== undefined)) return undefined;
  const create: ScopeFor = (...caller) => new RowScope(model, new TenantScope(...caller));
  if (resources.some(({ tenant }) => tenant !== undefined)) return create;
  // Without tenants, the scope is the same for all callers.
  let common: RowScope | undefined;
  return (...caller) => (common ??= create(...caller));
}

function viewOf(views: WeakMap<Store, Store>, store: Store, create: () => ScopedStore): Store {
  let view = views.get(store);
  // The class has every member of a store, and `undefined` for those that the store lacks.
  if (view === undefined) views.set(store, (view = create() as unknown as Store));
  return view;
}
