import type { EventDraft } from "../../../events/change-event.ts";
import type { Key, ResourceModel, Row } from "../../../model/model.ts";
import { andFilters, type Filter } from "../../../operation/filter.ts";
import { keyToken } from "../../../operation/key.ts";
import { isRelated } from "../../read/rewrite-related.ts";

/** The rows that a batch selects. */
export interface Meant {
  readonly visible: Filter;
  readonly asked: Filter | undefined;
}

interface BatchProgress {
  /** Returns the filter that a row must match when it is written. */
  readonly whereOf: (key: Key) => Filter | undefined;
  readonly isGone: (key: Key) => boolean;
  /** Whether the batch has already changed the row, for example through a hook or `setNull`. */
  readonly isTouched: (key: Key) => boolean;
}

/**
 * The rows of a batch are read first and then written one after the other. Earlier writes of the batch don't change
 * which rows the caller's filter selects, but the access rules apply again to each row.
 */
export function createBatchProgress(
  resource: ResourceModel,
  { visible, asked }: Meant,
  decision: Filter,
  events: readonly EventDraft[],
): BatchProgress {
  const rights = andFilters(visible, decision);
  // The dependents of a row are deleted before the row itself, which can change the result of a filter on relations.
  const whole = asked !== undefined && isRelated(asked) ? rights : andFilters(rights, asked);
  const touched = new Map<string, EventDraft["kind"]>();
  let seen = 0;
  const lastOf = (key: Key): EventDraft["kind"] | undefined => {
    for (; seen < events.length; seen++) {
      const event = events[seen] as EventDraft;
      if (event.resource === resource.name) touched.set(keyToken(event.key), event.kind);
    }
    return touched.get(keyToken(key));
  };
  return {
    whereOf: (key) => (lastOf(key) === undefined ? whole : rights),
    isTouched: (key) => lastOf(key) !== undefined,
    isGone: (key) => lastOf(key) === "deleted",
  };
}

/** Orders rows before the rows of the same batch that they reference, so that references don't prevent deletions. */
export function childrenFirst(resource: ResourceModel, rows: readonly Row[]): readonly Row[] {
  const own = [...resource.relations.values()].filter(
    ({ kind, target }) => kind === "belongsTo" && target === resource.name,
  );
  if (own.length === 0 || rows.length < 2) return rows;
  const pointing = own.map(({ local, foreign }) => ({ foreign, at: groupBy(rows, local) }));
  const reached = new Set<Row>();
  const ordered = new Set<Row>();
  const waiting = rows.toReversed();
  for (let row = waiting.at(-1); row !== undefined; row = waiting.at(-1)) {
    if (reached.has(row)) {
      ordered.add(row);
      waiting.pop();
      continue;
    }
    reached.add(row);
    for (const { foreign, at } of pointing) {
      const value = row[foreign] ?? null;
      for (const child of value === null ? [] : (at.get(value) ?? [])) if (!reached.has(child)) waiting.push(child);
    }
  }
  return [...ordered];
}

function groupBy(rows: readonly Row[], field: string): ReadonlyMap<Row[string] | undefined, readonly Row[]> {
  const groups = new Map<Row[string] | undefined, Row[]>();
  for (const row of rows) {
    const group = groups.get(row[field]);
    if (group === undefined) groups.set(row[field], [row]);
    else group.push(row);
  }
  return groups;
}
