import type { Row } from "../../model/model.ts";
import type { Filter } from "../../operation/filter.ts";
import type { StorePage } from "../store.ts";
import type { Bucket } from "./bucket.ts";
import { addRelatedValues } from "./add-related-values.ts";
import { type Candidates, findCandidates } from "./candidates.ts";
import type { Directed } from "./directed.ts";
import { firstRows } from "./first-rows.ts";
import type { Reading } from "./reading.ts";
import type { Rows } from "./row-slots.ts";
import type { SortedRows } from "./sorted-rows.ts";
import type { Table } from "./table.ts";
import { PAUSED, walkTies } from "./walk-ties.ts";
import { sliceOf, walkWhole } from "./walk-whole.ts";

/** Reads one page of a list by the indexes of committed rows. `within` limits it to the rows of one parent. */
export function listRows(tableOf: (name: string) => Table, directed: Directed, within?: Bucket): Reading<StorePage> {
  const { view, evaluation, query } = directed;
  const { resource, filter } = query;
  const bucket = within ?? tableOf(resource.name).all;
  const few = readListed(bucket, directed);
  if (few !== undefined) return () => few;
  const candidates = within === undefined ? findCandidates({ view, tableOf, evaluation }, resource, filter) : undefined;
  const sorted = sortedSource(bucket, directed, candidates);
  const source = (): Iterable<Row> | Rows => candidates?.rows() ?? bucket.rows;
  if (sorted !== undefined) return readPage(directed, takeSorted(bucket, sorted, directed), source);
  const size = candidates?.size ?? bucket.size;
  return readPage(directed, size <= FEW ? pickFew(source(), size, directed) : pick(source(), directed), source);
}

/** Reads a page by scanning, for rows without an index: those of a transaction or of another source. */
export function scanRows(directed: Directed, rows: Iterable<Row>): Reading<StorePage> {
  const all = [...rows];
  return readPage(directed, pick(all, directed), () => all);
}

function readPage(
  directed: Directed,
  readRows: Reading<readonly Row[]>,
  source: () => Iterable<Row> | Rows,
): Reading<StorePage> {
  let rows: readonly Row[] | undefined;
  let readTotal: Reading<number> | undefined;
  return () => {
    rows ??= readRows();
    if (rows === undefined) return undefined;
    if (directed.query.count !== true) return toPage(directed, rows, undefined);
    readTotal ??= countRows(source(), directed);
    const total = readTotal();
    return total === undefined ? undefined : toPage(directed, rows, total);
  };
}

const SMALL = 32;
/** Maximum number of rows that are read without a pause. */
const FEW = 256;

/** A list to walk. `isWhole` means that its order is that of the whole sort, or the reverse. */
interface Sorted {
  readonly rows: SortedRows;
  readonly isWhole: boolean;
}

/** Returns the sorted list if walking it is cheaper than sorting the candidates. */
function sortedSource(
  bucket: Bucket,
  { sort, ties, skip, take, isOwn }: Directed,
  candidates: Candidates | undefined,
): Sorted | undefined {
  const [first] = sort;
  const size = bucket.size;
  if (first === undefined || first.path.length > 1 || size < SMALL) return undefined;
  if (first.score !== undefined || first.related !== undefined) return undefined;
  if (candidates !== undefined) {
    // A walk meets one match in every (size / candidates) rows, until the page is full.
    const walked = (size / Math.max(1, candidates.size)) * (skip + take);
    if (candidates.size < Math.max(SMALL, walked * 2)) return undefined;
  }
  if (sort.length === 1 || ties === (first.descending ? "key descending" : "key"))
    return { rows: bucket.sortedBy(first.path[0]), isWhole: true };
  const whole = isOwn ? bucket.sortedByAll(sort) : undefined;
  return { rows: whole ?? bucket.sortedBy(first.path[0]), isWhole: whole !== undefined };
}

function takeSorted(bucket: Bucket, { rows, isWhole }: Sorted, directed: Directed): Reading<readonly Row[]> {
  const slice = isWhole ? sliceOf(rows, directed) : undefined;
  if (slice !== undefined) return () => slice;
  const { matches, order, stop, take, evaluation } = directed;
  const taken: Row[] = [];
  let { skip } = directed;
  const countTies = (count: number): void => bucket.countTies(directed.sort, count);
  const next = isWhole ? walkWhole(rows, directed) : walkTies(rows, directed, directed.isOwn ? countTies : () => {});
  return () => {
    for (;;) {
      const row = next();
      if (row === PAUSED) return undefined;
      if (row === undefined || (stop !== undefined && order.compareTo(row, stop) >= 0)) return taken;
      if (matches(row)) {
        if (skip > 0) skip--;
        else taken.push(row);
        if (taken.length >= take) return taken;
      }
      if (evaluation.look()) return undefined;
    }
  };
}

/** Reads a page of a small collection, whose sorted list the bucket keeps. */
function readListed(bucket: Bucket, directed: Directed): StorePage | undefined {
  const { query, sort, start, skip, evaluation } = directed;
  const [first] = sort;
  const { size } = bucket;
  if (!directed.isSlice || start !== undefined || first === undefined || size >= SMALL) return undefined;
  evaluation.look(size);
  const all = bucket.listedBy(first.path[0]);
  // Readers compare lists to find out whether rows have changed.
  const rows = skip === 0 && size <= query.limit ? all : all.slice(skip, skip + query.limit);
  const total = query.count === true ? Math.min(size, query.countMost ?? size) : undefined;
  return pageOf(directed, query.fromEnd === true ? rows.toReversed() : rows, size > skip + query.limit, total);
}

/** Selects from a small number of rows, without letting other work run in between. */
function pickFew(rows: Iterable<Row>, size: number, directed: Directed): Reading<readonly Row[]> {
  const { query, matches, order, start, stop, skip, take, evaluation } = directed;
  if (query.filter !== undefined && followsRelations(query.filter)) return pick(rows, directed);
  evaluation.look(size);
  const found: Row[] = [];
  for (const row of rows) {
    if (!matches(row)) continue;
    if (start !== undefined && order.compareTo(row, start) <= 0) continue;
    if (stop !== undefined && order.compareTo(row, stop) >= 0) continue;
    found.push(row);
  }
  const page = found.sort(order.compare).slice(skip, skip + take);
  return () => page;
}

function followsRelations(filter: Filter): boolean {
  switch (filter.kind) {
    case "related":
      return true;
    case "compare":
      return filter.related !== undefined;
    case "not":
      return followsRelations(filter.filter);
    case "and":
    case "or":
      return filter.filters.some(followsRelations);
    default:
      return false;
  }
}

function pick(
  rows: Iterable<Row>,
  { matches, order, start, stop, skip, take, evaluation }: Directed,
): Reading<readonly Row[]> {
  const found: Row[] = [];
  const iterator = rows[Symbol.iterator]();
  let readFirst: Reading<readonly Row[]> | undefined;
  return () => {
    while (readFirst === undefined) {
      const { done, value: row } = iterator.next();
      if (done === true) readFirst = firstRows(found, skip + take, order, evaluation);
      else if (
        matches(row) &&
        (start === undefined || order.compareTo(row, start) > 0) &&
        (stop === undefined || order.compareTo(row, stop) < 0)
      ) {
        found.push(row);
      }
      if (evaluation.look()) return undefined;
    }
    const first = readFirst();
    return skip === 0 ? first : first?.slice(skip);
  };
}

function countRows(rows: Iterable<Row> | Rows, { query, matches, evaluation }: Directed): Reading<number> {
  const { filter, countMost = Number.POSITIVE_INFINITY } = query;
  if (filter === undefined && "size" in rows) {
    const { size } = rows;
    return () => Math.min(size, countMost);
  }
  const iterator = rows[Symbol.iterator]();
  let count = 0;
  return () => {
    while (count < countMost) {
      const { done, value } = iterator.next();
      if (done === true) break;
      if (matches(value)) count++;
      if (evaluation.look()) return undefined;
    }
    return count;
  };
}

function toPage(directed: Directed, found: readonly Row[], total: number | undefined): StorePage {
  const { limit, fromEnd } = directed.query;
  const rows = found.slice(0, limit);
  if (fromEnd === true) rows.reverse();
  return pageOf(directed, rows, found.length > limit, total);
}

function pageOf(
  { query, order, isOwn, evaluation }: Directed,
  rows: readonly Row[],
  more: boolean,
  total: number | undefined,
): StorePage {
  const page = { rows: addRelatedValues(query, rows, evaluation), more, ...(total === undefined ? {} : { total }) };
  if (isOwn) return page;
  return { ...page, position: (index) => order.positionOf(rows[index] as Row) };
}
