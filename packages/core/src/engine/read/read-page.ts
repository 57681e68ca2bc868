import { BifocalError } from "../../errors/bifocal-error.ts";
import type { RelationModel, ResourceModel, Row } from "../../model/model.ts";
import type { Count } from "../../operation/count.ts";
import type { DeletedRows } from "../../operation/deleted-rows.ts";
import type { Filter } from "../../operation/filter.ts";
import type { Page } from "../../operation/page.ts";
import type { Selection } from "../../operation/selection.ts";
import type { Sort } from "../../operation/sort.ts";
import type { RawRows, RowPage, RowWriter } from "../../operation/visible-rows.ts";
import type { ListQuery, NamedRelatedValue, Position, StorePage } from "../../store/store.ts";
import { type MaybePromise, mapMaybePromise } from "../../util/maybe-promise.ts";
import { resourceOf } from "../../model/resource-of.ts";
import { cursorScope } from "../cursors.ts";
import type { OperationContext } from "../operation-context.ts";
import type { Level } from "./level.ts";
import { canCompute, storeFilter, storeSort } from "./rewrite-related.ts";

/** A list at the root or of a relation. */
export interface ListPlan {
  readonly relation?: RelationModel | undefined;
  readonly target: ResourceModel;
  /** Selects the rows that the caller can see and that match its filter. */
  readonly filter: Filter | undefined;
  /** The caller's own filter, which cursors are bound to. */
  readonly asked: Filter | undefined;
  /** The query that finds the rows, with its input, which cursors are bound to as well. */
  readonly query?: string | undefined;
  readonly sort: Sort;
  readonly page: Page;
  readonly count: Count;
  /** All fields to read of each row; `undefined` for every field. */
  readonly fields: ReadonlySet<string> | undefined;
  /** Set if the list shows soft-deleted rows. */
  readonly deleted?: DeletedRows | undefined;
  /** The values to compute from related rows. */
  readonly relatedValues: readonly NamedRelatedValue[] | undefined;
}

/**
 * Returns the positions of a page. Throws BAD_REQUEST if a cursor belongs to another list or the store doesn't support
 * the sort.
 */
function checkList(context: OperationContext, plan: ListPlan): Pick<ListQuery, "after" | "before"> {
  const { after, before } = plan.page;
  refuseHop(context, plan);
  return {
    after: after === undefined ? undefined : decode(context, plan, "after", after),
    before: before === undefined ? undefined : decode(context, plan, "before", before),
  };
}

/** Returns the query for the store. Throws the errors of `checkList`. */
export function listQuery(context: OperationContext, plan: ListPlan): MaybePromise<ListQuery> {
  const { target, page, sort } = plan;
  const { after, before } = checkList(context, plan);
  const read = (filter: Filter | undefined, order: Sort): ListQuery => ({
    resource: target,
    filter,
    sort: order,
    limit: Math.max(page.size, 1),
    offset: page.offset,
    after,
    before,
    fromEnd: page.fromEnd,
    count: plan.count !== false,
    countMost: plan.count === true ? context.engine.limits.query.count : undefined,
    fields: plan.fields,
    relatedValues: plan.relatedValues,
  });
  return mapMaybePromise(plan.filter && storeFilter(context, target, plan.filter), (filter) =>
    mapMaybePromise(storeSort(context, target, sort), (order) => read(filter, order)),
  );
}

function decode(context: OperationContext, plan: ListPlan, name: "after" | "before", cursor: string): Position {
  const position = context.engine.cursors.decode(scopeOf(plan), cursor);
  if (position !== undefined && position.length === plan.sort.length) return position;
  const message = `The cursor in '${name}' belongs to a different list, sort or filter. Start again without a cursor.`;
  throw new BifocalError("BAD_REQUEST", message, {
    issues: [{ path: ["page", name], message, code: "invalid_cursor" }],
  });
}

function scopeOf({ target, relation, sort, asked, query, deleted }: ListPlan): string {
  // A cursor doesn't depend on the rights of the caller.
  const terms = sort.some(({ related }) => related !== undefined)
    ? sort.map(({ path, descending }) => ({ path, descending }))
    : sort;
  const list = cursorScope(target.name, relation && `${relation.source}.${relation.name}`, terms, asked);
  const scope = query === undefined ? list : `${list} query ${query}`;
  return deleted === undefined ? scope : `${scope} deleted ${deleted}`;
}

/** Rejects a sort by a relation if the store doesn't support it or doesn't contain both sides. */
function refuseHop(context: OperationContext, { target, sort }: ListPlan): void {
  const store = context.storeOf(target.name);
  for (const { path, related } of sort) {
    if (
      related !== undefined &&
      !canCompute(context, resourceOf(context.engine.model, related.relation.source), related)
    ) {
      const message = `'${target.name}' can't be sorted by '${path.join(".")}': its store can't compute it.`;
      throw new BifocalError("BAD_REQUEST", message, { issues: [{ path: ["sort"], message, code: "unsupported" }] });
    }
    if (path.length === 1) continue;
    const relation = target.relations.get(path[0]) as RelationModel;
    if (store.capabilities.relationSort && context.storeOf(relation.target) === store) continue;
    const message = `'${target.name}' can't be sorted by '${path.join(".")}': its store doesn't support sorting by relations.`;
    throw new BifocalError("BAD_REQUEST", message, { issues: [{ path: ["sort"], message, code: "unsupported" }] });
  }
}

/** Returns the rows that the page shows. A page of size 0 still shows whether there are any rows. */
export function shownRows({ page }: ListPlan, result: StorePage): StorePage {
  return page.size > 0 ? result : { ...result, rows: [], more: result.rows.length > 0 };
}

/** Creates a page of a level. Cursors are built on first use. */
export function createPage(context: OperationContext, plan: ListPlan, result: StorePage, level: Level): RowPage {
  return new ReadPage(context, plan, result, level);
}

class ReadPage implements RowPage {
  readonly length: number;
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
  readonly total?: number;
  readonly totalIsExact?: boolean;
  readonly #context: OperationContext;
  readonly #plan: ListPlan;
  readonly #result: StorePage;
  readonly #level: Level;
  #scope: string | undefined;

  constructor(context: OperationContext, plan: ListPlan, result: StorePage, level: Level) {
    const { page } = plan;
    this.length = result.rows.length;
    const isFromEnd = page.fromEnd === true;
    // In a range with both ends, only rows inside the range count (Relay's connections, §4.4).
    this.hasNext = isFromEnd ? page.before !== undefined : result.more;
    this.hasPrevious = isFromEnd ? result.more : page.after !== undefined || (page.offset ?? 0) > 0;
    if (result.total !== undefined) {
      this.total = result.total;
      this.totalIsExact = plan.count === "exact" || result.total < context.engine.limits.query.count;
    }
    this.#context = context;
    this.#plan = plan;
    this.#result = result;
    this.#level = level;
  }

  get raw(): RawRows | undefined {
    return this.#level.isClean ? { rows: this.#result.rows, related: this.#level.related } : undefined;
  }

  write<Result>(writer: RowWriter<Result>, selection?: Selection): readonly Result[] {
    return this.#level.writeAll(this.#result.rows, writer, selection);
  }

  cursor(index: number): string {
    this.#scope ??= scopeOf(this.#plan);
    return this.#context.engine.cursors.encode(this.#scope, positionOf(this.#plan, this.#result, index));
  }
}

function positionOf({ sort }: ListPlan, result: StorePage, index: number): Position {
  if (result.position !== undefined) return result.position(index);
  const row = result.rows[index] as Row;
  return sort.map(({ path }) => row[path[0]] ?? null);
}

/** The lists below a selection, with those below each of them. */
interface NestedLists {
  readonly relations: readonly NestedList[];
}

interface NestedList extends ListPlan {
  readonly relation: RelationModel;
  readonly plan: NestedLists;
  /** Set for groups, whose cursors are checked when they are planned. */
  readonly groups?: object | undefined;
}

/** Throws BAD_REQUEST for a nested list whose cursor belongs to another list. */
export function checkLists(context: OperationContext, { relations }: NestedLists): void {
  for (const relation of relations) {
    if (relation.relation.many && relation.groups === undefined) checkList(context, relation);
    checkLists(context, relation.plan);
  }
}
