import type { RelationModel, ResourceModel, Row } from "../../model/model.ts";
import type { Filter } from "../../operation/filter.ts";
import type { Json } from "../../util/json.ts";
import type { Receipt } from "../store.ts";
import type { Committed } from "./committed.ts";
import { conjunctsOf, isCompare } from "./conjuncts.ts";
import { LinkChanges } from "./link-changes.ts";
import { RowChanges } from "./row-changes.ts";
import { uniqueToken } from "./table.ts";
import type { Token } from "../../model/reference.ts";
import { relatedRows, tokenOfRow, type StoreView } from "./store-view.ts";

/** The changes of one transaction on top of the committed data. Other readers don't see them before `commit`. */
export interface Overlay {
  readonly view: StoreView;
  /** Number of changes. At 0, reads skip the overlay. */
  readonly version: () => number;
  /** Returns rows that include all matches, from a key or an index; undefined if any row may match. */
  readonly candidates: (resource: ResourceModel, filter: Filter | undefined) => Iterable<Row> | undefined;
  readonly put: (resource: ResourceModel, row: Row) => void;
  readonly drop: (resource: ResourceModel, token: Token) => void;
  readonly setLink: (relation: RelationModel, from: Token, to: Token, linked: boolean) => boolean;
  readonly holderOf: (resource: ResourceModel, group: readonly string[], row: Row) => Row | undefined;
  readonly writeReceipt: (receipt: Receipt) => void;
  readonly commit: () => void;
}

export function createOverlay({ view: base, tableOf, links, receipts, changed }: Committed): Overlay {
  const changes = new Map<string, RowChanges>();
  const linkChanges = new LinkChanges();
  const newReceipts: Receipt[] = [];
  let version = 0;
  const changesOf = (resource: ResourceModel): RowChanges => {
    let own = changes.get(resource.name);
    if (own === undefined) {
      own = new RowChanges(resource);
      changes.set(resource.name, own);
    }
    return own;
  };

  function* all(resource: ResourceModel): Generator<Row> {
    const own = changesOf(resource);
    for (const row of base.all(resource)) if (!own.has(tokenOfRow(resource, row))) yield row;
    yield* own.rows();
  }

  /** If a pair was linked and unlinked repeatedly, the last change wins. */
  function linked(relation: RelationModel, token: Token): readonly Token[] {
    const own = linkChanges.of(relation, token);
    const before = base.linked(relation, token);
    if (own === undefined) return before;
    const far = new Set(before);
    for (const [other, isLinked] of own) {
      if (isLinked) far.add(other);
      else far.delete(other);
    }
    return [...far];
  }

  const lookups: Omit<StoreView, "related"> = {
    model: base.model,
    resourceOf: base.resourceOf,
    get(resource, token) {
      const change = changes.get(resource.name)?.get(token);
      return change === undefined ? base.get(resource, token) : (change ?? undefined);
    },
    all,
    size: (resource) => base.size(resource) + changesOf(resource).size,
    withValue(resource, field, value) {
      const own = changesOf(resource);
      const rows = base.withValue(resource, field, value);
      if (own.size === 0) return rows;
      return [...rows.filter((row) => !own.has(tokenOfRow(resource, row))), ...own.withValue(field, value)];
    },
    withValues(resource, fields, token) {
      const own = changesOf(resource);
      const rows = base.withValues(resource, fields, token);
      if (own.size === 0) return rows;
      return [...rows.filter((row) => !own.has(tokenOfRow(resource, row))), ...own.withValues(fields, token)];
    },
    linked,
  };

  return {
    view: { ...lookups, related: (relation, row) => relatedRows(lookups, relation, row) },
    version: () => version,
    candidates(resource, filter) {
      const table = tableOf(resource.name);
      for (const conjunct of conjunctsOf(filter)) {
        if (!isCompare(conjunct) || !table.isIndexed(conjunct.field)) continue;
        const { field, operator, value } = conjunct;
        if (operator === "eq") return lookups.withValue(resource, field, value);
        if (operator !== "in") continue;
        return [...new Set(value as readonly Json[])].flatMap((one) => lookups.withValue(resource, field, one));
      }
      return undefined;
    },
    put(resource, row) {
      version++;
      changesOf(resource).set(tokenOfRow(resource, row), row);
    },
    drop(resource, token) {
      version++;
      changesOf(resource).set(token, null);
    },
    setLink(relation, from, to, isLinked) {
      const before = linkChanges.of(relation, from)?.get(to) ?? links.has(relation, from, to);
      if (before === isLinked) return false;
      version++;
      linkChanges.set(relation, from, to, isLinked);
      return true;
    },
    holderOf(resource, group, row) {
      const own = changesOf(resource);
      const holder = tableOf(resource.name).holderOf(group, row);
      if (holder !== undefined && !own.has(tokenOfRow(resource, holder))) return holder;
      const token = uniqueToken(resource, group, row);
      return token === undefined ? undefined : own.holderOf(group, token);
    },
    writeReceipt: (receipt) => void newReceipts.push(receipt),
    commit() {
      changed();
      // All deletions come first, so that they free the unique values for the insertions.
      for (const [name, own] of changes) {
        const table = tableOf(name);
        for (const token of own.tokens()) {
          const before = table.get(token);
          if (before !== undefined) table.delete(before);
        }
      }
      for (const [name, own] of changes) {
        const table = tableOf(name);
        for (const row of own.rows()) table.insert(row);
      }
      for (const [relation, from, to, isLinked] of linkChanges.all()) links.set(relation, from, to, isLinked);
      for (const receipt of newReceipts) receipts.set(receipt);
    },
  };
}
