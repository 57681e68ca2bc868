import type { ResourceModel } from "../../model/model.ts";
import { andFilters, type Filter, type RelatedValue } from "../../operation/filter.ts";
import type { Scored, Sort } from "../../operation/sort.ts";
import type { TenantScope } from "./tenant-scope.ts";
import type {
  AggregateQuery,
  InsertCommand,
  NamedRelatedValue,
  RelatedTextQuery,
  Store,
  StoreContext,
  TextQuery,
} from "../../store/store.ts";

type Members = { readonly [K in keyof Required<Store>]: unknown };
type Along = Pick<RelatedValue, "relation" | "filter">;
type FilterOf = (resource: ResourceModel) => Filter | undefined;

/** The rows that the statements of a store can reach. */
export interface StatementScope {
  /** Returns the condition that rows of a resource must match; undefined if all are within the scope. */
  readonly filterOf: FilterOf;
  /** Adds the scope to every relation that a filter follows. */
  readonly along: (resource: ResourceModel, filter: Filter | undefined) => Filter | undefined;
  /** Adds the scope to the rows from which a value is computed. */
  readonly value: <Value extends Along>(value: Value) => Value;
  readonly view: (store: Store) => Store;
  readonly tenants: Pick<TenantScope, "reachOf">;
}

interface Statement {
  readonly resource: ResourceModel;
  readonly filter?: Filter | undefined;
  readonly sort?: Sort;
  readonly relatedValues?: readonly NamedRelatedValue[] | undefined;
}

/**
 * A view of a store that adds the scope to every statement. It implements every member of a store by itself, so that a
 * new member doesn't compile until it is limited here, too.
 */
export class ScopedStore implements Members {
  readonly #store: Store;
  readonly #scope: StatementScope;
  readonly #filterOf: FilterOf;
  readonly #contextOf: (context: StoreContext) => StoreContext;

  /** @param contextOf - replaces the tenants of statements, for stores that limit these by themselves */
  constructor(
    store: Store,
    scope: StatementScope,
    filterOf: FilterOf,
    contextOf: (context: StoreContext) => StoreContext = (context) => context,
  ) {
    this.#contextOf = contextOf;
    this.#store = store;
    this.#scope = scope;
    this.#filterOf = filterOf;
  }

  get capabilities(): Store["capabilities"] {
    return this.#store.capabilities;
  }

  get open(): Store["open"] {
    return this.#store.open.bind(this.#store);
  }

  get writesOf(): Store["writesOf"] | undefined {
    return this.#store.writesOf?.bind(this.#store);
  }

  byKeys: Store["byKeys"] = (query, context) => this.#store.byKeys(this.#within(query), this.#contextOf(context));
  list: Store["list"] = (query, context) => this.#store.list(this.#within(query), this.#contextOf(context));
  listPer: Store["listPer"] = (query, context) => this.#store.listPer(this.#within(query), this.#contextOf(context));

  get aggregate(): Store["aggregate"] | undefined {
    const aggregate = this.#store.aggregate?.bind(this.#store);
    return aggregate && ((query, context) => aggregate(this.#groupsWithin(query), this.#contextOf(context)));
  }

  get aggregatePer(): Store["aggregatePer"] | undefined {
    const aggregate = this.#store.aggregatePer?.bind(this.#store);
    return aggregate && ((query, context) => aggregate(this.#groupsWithin(query), this.#contextOf(context)));
  }

  get listTexts(): Store["listTexts"] | undefined {
    const listTexts = this.#store.listTexts?.bind(this.#store);
    if (listTexts === undefined) return undefined;
    return (query, context) => {
      const related = this.#relatedWithin(query.related);
      return listTexts({ ...this.#within(query), related }, this.#contextOf(context));
    };
  }

  get isFree(): Store["isFree"] | undefined {
    return this.#store.isFree?.bind(this.#store);
  }

  insert: Store["insert"] = (command, context) => {
    this.#requireTenant(command);
    return this.#store.insert(command, this.#contextOf(context));
  };

  get insertAtOnce(): Store["insertAtOnce"] | undefined {
    const insertAtOnce = this.#store.insertAtOnce?.bind(this.#store);
    if (insertAtOnce === undefined) return undefined;
    return (command, context) => {
      this.#requireTenant(command);
      const references = command.references.map((query) => this.#within(query));
      return insertAtOnce({ ...command, references }, this.#contextOf(context));
    };
  }

  /** Only for rows that were read within the scope. */
  get lock(): Store["lock"] | undefined {
    const lock = this.#store.lock?.bind(this.#store);
    return lock && ((query, context) => lock(query, this.#contextOf(context)));
  }

  update: Store["update"] = (command, context) => {
    const { resource, where, set } = command;
    if (resource.tenant !== undefined && Object.hasOwn(set, resource.tenant.field)) throw otherTenant(resource);
    return this.#store.update({ ...command, where: this.#filterWithin(resource, where) }, this.#contextOf(context));
  };

  delete: Store["delete"] = (command, context) => {
    const { resource, where } = command;
    return this.#store.delete({ ...command, where: this.#filterWithin(resource, where) }, this.#contextOf(context));
  };

  link: Store["link"] = (command, context) => this.#store.link(command, this.#contextOf(context));
  unlink: Store["unlink"] = (command, context) => this.#store.unlink(command, this.#contextOf(context));

  transaction<T>(work: (store: Store) => Promise<T>, context: StoreContext): Promise<T> {
    return this.#store.transaction((handle) => work(this.#scope.view(handle)), context);
  }

  get readReceipt(): Store["readReceipt"] | undefined {
    return this.#store.readReceipt?.bind(this.#store);
  }

  get writeReceipt(): Store["writeReceipt"] | undefined {
    return this.#store.writeReceipt?.bind(this.#store);
  }

  get appendChanges(): Store["appendChanges"] | undefined {
    return this.#store.appendChanges?.bind(this.#store);
  }

  get changeLog(): Store["changeLog"] | undefined {
    return this.#store.changeLog;
  }

  get bus(): Store["bus"] | undefined {
    return this.#store.bus;
  }

  get warnings(): Store["warnings"] | undefined {
    return this.#store.warnings;
  }

  get mistakes(): Store["mistakes"] | undefined {
    return this.#store.mistakes;
  }

  get "~schema"(): Store["~schema"] | undefined {
    return this.#store["~schema"];
  }

  get load(): Store["load"] | undefined {
    return this.#store.load?.bind(this.#store);
  }

  get close(): Store["close"] | undefined {
    return this.#store.close?.bind(this.#store);
  }

  /** The last check of new rows: application code can set any field. */
  #requireTenant({ resource, rows }: Pick<InsertCommand, "resource" | "rows">): void {
    const { tenant } = resource;
    const reach = this.#scope.tenants.reachOf(resource);
    if (tenant === undefined || reach === "all") return;
    if (reach === "none" || rows.some((row) => row[tenant.field] !== reach.tenant)) throw otherTenant(resource);
  }

  #within<Q extends Statement>(query: Q): Q {
    const { resource, filter, sort, relatedValues } = query;
    const within = { ...query, filter: this.#filterWithin(resource, filter) };
    const isOwn =
      sort === undefined ||
      sort.every(({ path, score, related }) => path.length === 1 && score === undefined && related === undefined);
    if (isOwn && relatedValues === undefined) return within;
    return {
      ...within,
      relatedValues: relatedValues?.map((value) => this.#scope.value(value)),
      sort: sort && this.#sortWithin(resource, sort),
    };
  }

  /** Related rows outside the scope count as missing. */
  #groupsWithin<Q extends AggregateQuery>(query: Q): Q {
    const groupBy = query.groupBy.map((term) => {
      const { relation, filter } = term;
      return relation === undefined ? term : this.#scope.value({ ...term, relation, filter });
    });
    return { ...this.#within(query), groupBy };
  }

  /** Rows outside the scope don't count, have no values to sort by, and don't make others more relevant. */
  #sortWithin(resource: ResourceModel, sort: Sort): Sort {
    const within = (one: Scored): Scored => ({ ...one, filter: this.#scope.along(resource, one.filter) ?? one.filter });
    return sort.map((term) => {
      if (term.score !== undefined) return { ...term, score: term.score.map((entry) => entry.map(within)) };
      const related = term.related && this.#scope.value(term.related);
      const relation = term.path.length === 1 ? undefined : resource.relations.get(term.path[0]);
      const filter = relation && this.#scope.value<Along>({ relation, filter: undefined }).filter;
      return { ...term, ...(related && { related }), ...(filter && { filter }) };
    });
  }

  #filterWithin(resource: ResourceModel, filter: Filter | undefined): Filter | undefined {
    return andFilters(this.#filterOf(resource), this.#scope.along(resource, filter));
  }

  /** Rows along relations are always limited by the whole scope. */
  #relatedWithin(related: TextQuery["related"]): TextQuery["related"] {
    const limited = new Map<string, RelatedTextQuery>();
    for (const [as, query] of related) {
      const { resource } = query;
      const filter = andFilters(this.#scope.filterOf(resource), this.#scope.along(resource, query.filter));
      const sort = this.#sortWithin(resource, query.sort);
      limited.set(as, { ...query, filter, sort, related: this.#relatedWithin(query.related) });
    }
    return limited;
  }
}

function otherTenant({ name }: ResourceModel): Error {
  return new Error(`A row of '${name}' can't be written to another tenant.`);
}
