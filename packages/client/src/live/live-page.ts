import type { ClientResource } from "@bifocal/core";
import type { Options, Page, Row } from "../lens.ts";
import { createRowOrder } from "./row-order.ts";
import type { LiveChange } from "./live-source.ts";

/** The effect of a change on the page. `unknown`: only the server knows, so the page must be read again. */
export type Effect = "none" | "changed" | "unknown";

/** A page that changes are applied to. */
export interface LivePage {
  readonly load: (page: Page) => void;
  readonly apply: (change: LiveChange) => Effect;
  readonly page: () => Omit<Page, "startCursor" | "endCursor">;
}

/** Applies the changes that need no other rows than those of the page. */
export function createLivePage(resource: ClientResource, query: Options): LivePage {
  const { key, pageSize } = resource;
  const { sort = [], page: { size = pageSize, ...place } = {}, search, deleted } = query;
  const isFirstPage = Object.values(place).every((value) => value === undefined);
  const isPlain = isFirstPage && search === undefined && deleted === undefined;
  const canApply = isPlain && !sort.some((term) => term.includes("."));
  const order = createRowOrder(sort, key);
  let page: Omit<Page, "startCursor" | "endCursor"> = { items: [], hasNext: false, hasPrevious: false };

  function find(change: LiveChange): number | undefined {
    if (change.kind === "reset") return undefined;
    const row = change.kind === "left" ? keyRow(key, change.key) : change.item;
    if (key.some((name) => row[name] === undefined)) return undefined;
    return page.items.findIndex((item) => key.every((name) => same(item[name], row[name])));
  }

  function positionOf(row: Row, rows: readonly Row[]): number | undefined {
    for (const [index, other] of rows.entries()) {
      const difference = order(row, other);
      if (difference === undefined) return undefined;
      if (difference < 0) return index;
    }
    return rows.length;
  }

  /** Without a next page, the rows of the first page are all rows. */
  function keep(items: readonly Row[]): Effect {
    const hasNext = page.hasNext || items.length > size;
    const total = page.total !== undefined && !page.hasNext ? { total: items.length } : {};
    page = { ...page, ...total, items: items.slice(0, size), hasNext };
    return "changed";
  }

  function leave(index: number): Effect {
    // The first row of the next page moves up, or there is no next page any more.
    if (page.hasNext) return "unknown";
    return index < 0 ? "none" : keep(page.items.toSpliced(index, 1));
  }

  function enter(row: Row, index: number): Effect {
    const old = page.items[index];
    if (old !== undefined && order(old, row) === 0) return keep(page.items.with(index, row));
    // Whether the total already contains the row isn't known.
    if (old === undefined && page.hasNext && page.total !== undefined) return "unknown";
    const others = old === undefined ? page.items : page.items.toSpliced(index, 1);
    const at = positionOf(row, others);
    if (at === undefined) return "unknown";
    if (at === others.length && page.hasNext) return old === undefined ? "none" : "unknown";
    return keep(others.toSpliced(at, 0, row));
  }

  return {
    load(loaded) {
      const { startCursor: _, endCursor: __, ...rest } = loaded;
      page = rest;
    },
    apply(change) {
      const index = canApply ? find(change) : undefined;
      if (index === undefined || change.kind === "reset") return "unknown";
      return change.kind === "left" || change.kind === "deleted" ? leave(index) : enter(change.item, index);
    },
    page: () => page,
  };
}

function keyRow(key: readonly string[], id: unknown): Row {
  return key.length === 1 ? { [key[0] as string]: id } : (id as Row);
}

function same(a: unknown, b: unknown): boolean {
  return a === b || (a instanceof Date && b instanceof Date && a.getTime() === b.getTime());
}
