import type { ClientResource } from "@bifocal/core";
import type { QueryClient, QueryKey } from "@tanstack/query-core";
import { formatId } from "../id.ts";
import type { Row } from "../lens.ts";
import { isPlainObject } from "../plain-object.ts";
import { SCOPE } from "./query-key.ts";
import type { RecordedCall } from "./record-call.ts";

/** Cached data before and after an optimistic write. */
export interface Replaced {
  readonly key: QueryKey;
  readonly before: unknown;
  readonly after: unknown;
}

/** Applies an update, a replacement or a deletion to all cached rows. Other calls change nothing. */
export async function applyOptimistically(
  cache: QueryClient,
  resource: ClientResource,
  { path: [, method], args: [id, input] }: RecordedCall,
): Promise<readonly Replaced[]> {
  if (method !== "update" && method !== "replace" && method !== "delete") return [];
  const queryKey = [SCOPE, resource.name];
  // A read that began before the write would overwrite the result.
  await cache.cancelQueries({ queryKey });
  const change = (row: Row): Row | undefined => {
    if (!isRow(resource, row, id)) return row;
    return method === "delete" ? undefined : merge(resource, row, input);
  };
  return cache.getQueriesData<unknown>({ queryKey }).flatMap(([key, before]) => {
    const after = changeData(before, change);
    return after === before ? [] : [{ key, before, after: cache.setQueryData<unknown>(key, after) }];
  });
}

/** Restores what an optimistic write changed, unless it has changed since. */
export function restore(cache: QueryClient, replaced: readonly Replaced[]): void {
  for (const { key, before, after } of replaced) {
    if (cache.getQueryData(key) === after) cache.setQueryData(key, before);
  }
}

/** Changes a row, the rows of a page, or those of the pages of an infinite query. */
function changeData(data: unknown, change: (row: Row) => Row | undefined): unknown {
  if (!isPlainObject(data)) return data;
  const { items, pages } = data;
  if (Array.isArray(pages)) return { ...data, pages: pages.map((page) => changeData(page, change)) };
  if (!Array.isArray(items) || !("hasNext" in data)) return change(data) ?? null;
  const rows = (items as Row[]).map(change);
  if (rows.every((row, index) => row === items[index])) return data;
  return { ...data, items: rows.filter((row) => row !== undefined) };
}

function isRow(resource: ClientResource, row: Row, id: unknown): boolean {
  const { key } = resource;
  if (key.some((name) => row[name] === undefined)) return false;
  return formatId(resource, key.length === 1 ? row[key[0] as string] : row) === formatId(resource, id);
}

/** Relations have another form in inputs than in rows. */
function merge({ fields }: ClientResource, row: Row, input: unknown): Row {
  const changes = Object.entries(input as Row).filter(
    ([name, value]) => name in row && fields[name] !== undefined && value !== undefined,
  );
  return { ...row, ...Object.fromEntries(changes) };
}
