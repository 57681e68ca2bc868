import { BifocalError } from "../../errors/bifocal-error.ts";
import type { RelationModel, ResourceModel, Row } from "../../model/model.ts";
import type { Filter } from "../../operation/filter.ts";
import type { Node, PageNode } from "../../operation/outcome.ts";
import type { Page } from "../../operation/page.ts";
import type { Sort } from "../../operation/sort.ts";
import type { ListQuery, Position, StorePage } from "../../store/store.ts";
import { cursorScope } from "../cursors.ts";
import type { Frame } from "../frame.ts";
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
}

/** What to ask of the store. Throws BAD_REQUEST for a cursor that was not made for this list. */
export async function listQuery(frame: Frame, plan: ListPlan): Promise<ListQuery> {
  const { target, page, sort } = plan;
  refuseHop(frame, plan);
  return {
    resource: target,
    filter: await storeFilter(frame, target, plan.filter),
    sort,
    limit: page.size,
    offset: page.offset,
    after: page.after === undefined ? undefined : decode(frame, plan, "after", page.after),
    before: page.before === undefined ? undefined : decode(frame, plan, "before", page.before),
    fromEnd: page.fromEnd,
    count: plan.count,
  };
}

function decode(frame: Frame, plan: ListPlan, name: "after" | "before", cursor: string): Position {
  const position = frame.engine.cursors.decode(scopeOf(plan), cursor);
  if (position !== undefined && position.length === plan.sort.length) return position;
  const message = `'${name}' is no cursor of this list: it was made with another sort or filter, or elsewhere.`;
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
    const message = `'${target.name}' cannot be sorted by '${path.join(".")}': its store does not follow relations.`;
    throw new BifocalError("BAD_REQUEST", message, { issues: [{ path: ["sort"], message, code: "unsupported" }] });
  }
}

/** One page of nodes. Cursors are made only when somebody asks for them. */
export function createPage(frame: Frame, plan: ListPlan, result: StorePage, nodes: readonly Node[]): PageNode {
  const { page } = plan;
  const isFromEnd = page.fromEnd === true;
  const isBehind = page.after !== undefined || (page.offset ?? 0) > 0;
  const isBefore = page.before !== undefined;
  let scope: string | undefined;
  return {
    nodes,
    hasNext: (!isFromEnd && result.more) || isBefore,
    hasPrevious: (isFromEnd && result.more) || isBehind,
    ...(result.total === undefined ? {} : { total: result.total }),
    cursor: (index) => {
      scope ??= scopeOf(plan);
      return frame.engine.cursors.encode(scope, positionOf(plan, result, index));
    },
  };
}

function positionOf({ sort }: ListPlan, result: StorePage, index: number): Position {
  if (result.position !== undefined && sort.some(({ path }) => path.length > 1)) return result.position(index);
  const row = result.rows[index] as Row;
  return sort.map(({ path }) => row[path[0]] ?? null);
}
