import type { EventDraft } from "../../../events/change-event.ts";
import type { Key, ResourceModel, Row } from "../../../model/model.ts";
import { type Token, tokenReader } from "../../../model/reference.ts";
import { andFilters, type Filter, isRelated } from "../../../operation/filter.ts";
import { keyToken } from "../../../operation/key.ts";

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
  const pointing = own.map(({ local, foreign }) => ({ tokenIn: tokenReader(foreign), at: groupBy(rows, local) }));
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
    for (const { tokenIn, at } of pointing) {
      const token = tokenIn(row);
      for (const child of token === null ? [] : (at.get(token) ?? [])) if (!reached.has(child)) waiting.push(child);
    }
  }
  return [...ordered];
}

function groupBy(rows: readonly Row[], fields: readonly string[]): ReadonlyMap<Token, readonly Row[]> {
  const tokenIn = tokenReader(fields);
  const groups = new Map<Token, Row[]>();
  for (const row of rows) {
    const token = tokenIn(row);
    if (token === null) continue;
    const group = groups.get(token);
    if (group === undefined) groups.set(token, [row]);
    else group.push(row);
  }
  return groups;
}
