import type { Row } from "../../model/model.ts";
import type { Sort } from "../../operation/sort.ts";
import { compileFilter, type Predicate } from "../evaluate-filter.ts";
import type { ListQuery, Position, StorePage } from "../store.ts";
import type { Bucket } from "./bucket.ts";
import { type Candidates, findCandidates } from "./candidates.ts";
import { createOrder, type Order } from "./order.ts";
import type { Table } from "./table.ts";
import type { View } from "./view.ts";
import { walk } from "./walk.ts";

/** A list read turned so that its page is always the first rows behind `start`. */
interface Directed {
  readonly sort: Sort;
  readonly order: Order;
  readonly start: Position | undefined;
  readonly stop: Position | undefined;
  /** Rows to skip, and rows to take, with one more to see whether there are more. */
  readonly skip: number;
  readonly take: number;
  readonly matches: Predicate;
}

/** One page of a list, by the indexes of committed rows. `within`: only these rows, of one parent. */
export function listRows(view: View, tableOf: (name: string) => Table, query: ListQuery, within?: Bucket): StorePage {
  const { resource, filter } = query;
  const directed = direct(view, query);
  const table = tableOf(resource.name);
  const bucket = within ?? table.all;
  const candidates = within === undefined ? findCandidates(view, tableOf, resource, filter) : undefined;
  const sorted = sortedSource(bucket, directed, candidates);
  const rows =
    sorted === undefined ? pick(candidates?.rows() ?? bucket.rows, directed) : takeSorted(sorted, query, directed);
  const total = query.count === true ? countRows(candidates?.rows() ?? bucket.rows, query, directed) : undefined;
  return toPage(query, directed, rows, total);
}

/** The same by plain scanning, for rows that no index knows: those of a transaction, or of another source. */
export function scanRows(view: View, query: ListQuery, rows: Iterable<Row>): StorePage {
  const directed = direct(view, query);
  const all = [...rows];
  const total = query.count === true ? countRows(all, query, directed) : undefined;
  return toPage(query, directed, pick(all, directed), total);
}

function direct(view: View, query: ListQuery): Directed {
  const { resource, filter, fromEnd } = query;
  const sort =
    fromEnd === true ? query.sort.map(({ path, descending }) => ({ path, descending: !descending })) : query.sort;
  return {
    sort,
    order: createOrder(view, resource, sort),
    start: fromEnd === true ? query.before : query.after,
    stop: fromEnd === true ? query.after : query.before,
    skip: query.offset ?? 0,
    take: query.limit + 1,
    matches: filter === undefined ? () => true : compileFilter(filter, resource, view.related, view.model),
  };
}

const SMALL = 32;

/** The sorted list to walk, where walking is cheaper than sorting the candidates. */
function sortedSource(
  bucket: Bucket,
  { sort, skip, take }: Directed,
  candidates: Candidates | undefined,
): readonly Row[] | undefined {
  const [first] = sort;
  const size = bucket.rows.size;
  if (first === undefined || first.path.length > 1 || size < SMALL) return undefined;
  if (candidates !== undefined) {
    // Walking meets a match in every (size / candidates) rows, until the page is full.
    const walked = (size / Math.max(1, candidates.size)) * (skip + take);
    if (candidates.size < Math.max(SMALL, walked * 2)) return undefined;
  }
  return bucket.sortedBy(first.path[0]);
}

function takeSorted(sorted: readonly Row[], { resource, filter }: ListQuery, directed: Directed): readonly Row[] {
  const { sort, matches, order, start, stop, take } = directed;
  const taken: Row[] = [];
  let { skip } = directed;
  walk(resource, sorted, sort, order, filter, start, (row) => {
    if (stop !== undefined && order.compareTo(row, stop) >= 0) return false;
    if (!matches(row)) return true;
    if (skip > 0) skip--;
    else taken.push(row);
    return taken.length < take;
  });
  return taken;
}

function pick(rows: Iterable<Row>, { matches, order, start, stop, skip, take: most }: Directed): readonly Row[] {
  const found: Row[] = [];
  for (const row of rows) {
    if (!matches(row)) continue;
    if (start !== undefined && order.compareTo(row, start) <= 0) continue;
    if (stop !== undefined && order.compareTo(row, stop) >= 0) continue;
    found.push(row);
  }
  const wanted = skip + most;
  // Many rows for a small page: once in a while all but the first ones are dropped.
  if (found.length > wanted * 8) return smallest(found, wanted, order).slice(skip);
  return found.sort(order.compare).slice(skip, wanted);
}

function smallest(rows: readonly Row[], count: number, order: Order): Row[] {
  let kept: Row[] = [];
  let last: Row | undefined;
  for (const row of rows) {
    if (last !== undefined && order.compare(row, last) >= 0) continue;
    kept.push(row);
    if (kept.length < count * 4) continue;
    kept = kept.sort(order.compare).slice(0, count);
    last = kept.at(-1);
  }
  return kept.sort(order.compare).slice(0, count);
}

function countRows(
  rows: Iterable<Row>,
  { filter, countMost = Number.POSITIVE_INFINITY }: ListQuery,
  { matches }: Directed,
): number {
  if (filter === undefined && rows instanceof Set) return Math.min(rows.size, countMost);
  let count = 0;
  for (const row of rows) {
    if (count >= countMost) break;
    if (matches(row)) count++;
  }
  return count;
}

function toPage(
  query: ListQuery,
  { order, sort }: Directed,
  found: readonly Row[],
  total: number | undefined,
): StorePage {
  const more = found.length > query.limit;
  const rows = found.slice(0, query.limit);
  if (query.fromEnd === true) rows.reverse();
  const page = { rows, more, ...(total === undefined ? {} : { total }) };
  if (sort.every(({ path }) => path.length === 1)) return page;
  return { ...page, position: (index) => order.positionOf(rows[index] as Row) };
}
