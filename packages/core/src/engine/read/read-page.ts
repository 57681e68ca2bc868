import { BifocalError } from "../../errors/bifocal-error.ts";
import type { RelationModel, ResourceModel, Row } from "../../model/model.ts";
import type { Filter } from "../../operation/filter.ts";
import type { Node, PageNode, RawRows } from "../../operation/outcome.ts";
import type { Page } from "../../operation/page.ts";
import type { Sort } from "../../operation/sort.ts";
import type { ListQuery, Position, StorePage } from "../../store/store.ts";
import { type MaybePromise, thenNow } from "../../util/maybe-promise.ts";
import { cursorScope } from "../cursors.ts";
import type { Frame } from "../frame.ts";
import type { Level } from "./level.ts";
import { storeFilter } from "./rewrite-related.ts";

/** A list, at the root or along a relation. */
export interface ListPlan {
  readonly relation?: RelationModel | undefined;
  readonly target: ResourceModel;
  /** The rows that the caller may see and asked for. */
  readonly filter: Filter | undefined;
  /** What cursors are bound to: the caller's own filter. */
  readonly asked: Filter | undefined;
  readonly sort: Sort;
  readonly page: Page;
  readonly count: boolean;
  /** All that has to be read of each row; `undefined`: every field. */
  readonly fields: ReadonlySet<string> | undefined;
}

/** The places of a page, once it can be asked for. Throws BAD_REQUEST for a cursor that was not made for this list, and for a sort that its store cannot do. */
export function checkList(frame: Frame, plan: ListPlan): Pick<ListQuery, "after" | "before"> {
  const { after, before } = plan.page;
  refuseHop(frame, plan);
  return {
    after: after === undefined ? undefined : decode(frame, plan, "after", after),
    before: before === undefined ? undefined : decode(frame, plan, "before", before),
  };
}

/** What to ask of the store. Throws what `checkList` throws. */
export function listQuery(frame: Frame, plan: ListPlan): MaybePromise<ListQuery> {
  const { target, page, sort } = plan;
  const { after, before } = checkList(frame, plan);
  return thenNow(storeFilter(frame, target, plan.filter), (filter) => ({
    resource: target,
    filter,
    sort,
    limit: Math.max(page.size, 1),
    offset: page.offset,
    after,
    before,
    fromEnd: page.fromEnd,
    count: plan.count,
    countMost: plan.count ? frame.engine.limits.count : undefined,
    fields: plan.fields,
  }));
}

function decode(frame: Frame, plan: ListPlan, name: "after" | "before", cursor: string): Position {
  const position = frame.engine.cursors.decode(scopeOf(plan), cursor);
  if (position !== undefined && position.length === plan.sort.length) return position;
  const message = `The cursor in '${name}' belongs to a different list, sort or filter. Start again without a cursor.`;
  throw new BifocalError("BAD_REQUEST", message, {
    issues: [{ path: ["page", name], message, code: "invalid_cursor" }],
  });
}

function scopeOf({ target, relation, sort, asked }: ListPlan): string {
  return cursorScope(target.name, relation && `${relation.source}.${relation.name}`, sort, asked);
}

/** A store that cannot sort along a relation, or does not hold both sides, refuses such a sort in words. */
function refuseHop(frame: Frame, { target, sort }: ListPlan): void {
  const store = frame.storeOf(target.name);
  for (const { path } of sort) {
    if (path.length === 1) continue;
    const relation = target.relations.get(path[0]) as RelationModel;
    if (store.capabilities.relationSort && frame.storeOf(relation.target) === store) continue;
    const message = `'${target.name}' can't be sorted by '${path.join(".")}': its store doesn't support sorting by relations.`;
    throw new BifocalError("BAD_REQUEST", message, { issues: [{ path: ["sort"], message, code: "unsupported" }] });
  }
}

/** What the page has of what was read: one of no rows still tells whether there are any. */
export function shownRows({ page }: ListPlan, result: StorePage): StorePage {
  return page.size > 0 ? result : { ...result, rows: [], more: result.rows.length > 0 };
}

/** One page of a level: its rows from `start` on. Cursors and nodes are made only when somebody asks for them. */
export function createPage(frame: Frame, plan: ListPlan, result: StorePage, level: Level, start = 0): PageNode {
  return new ReadPage(frame, plan, result, level, start);
}

class ReadPage implements PageNode {
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
  readonly total?: number;
  readonly #frame: Frame;
  readonly #plan: ListPlan;
  readonly #result: StorePage;
  readonly #level: Level;
  readonly #start: number;
  #scope: string | undefined;

  constructor(frame: Frame, plan: ListPlan, result: StorePage, level: Level, start: number) {
    const { page } = plan;
    const isFromEnd = page.fromEnd === true;
    // Of a range with both ends, only what the page leaves out of it counts (Relay's connections, §4.4).
    this.hasNext = isFromEnd ? page.before !== undefined : result.more;
    this.hasPrevious = isFromEnd ? result.more : page.after !== undefined || (page.offset ?? 0) > 0;
    if (result.total !== undefined) this.total = result.total;
    this.#frame = frame;
    this.#plan = plan;
    this.#result = result;
    this.#level = level;
    this.#start = start;
  }

  get nodes(): readonly Node[] {
    const { nodes } = this.#level;
    const { length } = this.#result.rows;
    return length === nodes.length ? nodes : nodes.slice(this.#start, this.#start + length);
  }

  get raw(): RawRows | undefined {
    const raw = this.#level.raw;
    return raw === undefined ? undefined : { rows: this.#result.rows, related: raw.related };
  }

  cursor(index: number): string {
    this.#scope ??= scopeOf(this.#plan);
    return this.#frame.engine.cursors.encode(this.#scope, positionOf(this.#plan, this.#result, index));
  }
}

function positionOf({ sort }: ListPlan, result: StorePage, index: number): Position {
  if (result.position !== undefined) return result.position(index);
  const row = result.rows[index] as Row;
  return sort.map(({ path }) => row[path[0]] ?? null);
}
