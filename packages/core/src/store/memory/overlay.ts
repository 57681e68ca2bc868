import type { RelationModel, ResourceModel, Row } from "../../model/model.ts";
import type { Json } from "../../util/json.ts";
import type { Receipt } from "../store.ts";
import type { Committed } from "./committed.ts";
import { uniqueToken } from "./table.ts";
import { relatedRows, type Token, tokenOfRow, type View } from "./view.ts";

/** The changes of one transaction over what is committed. Nobody else sees them before `commit`. */
export interface Overlay {
  readonly view: View;
  /** Whether reads of a resource must look here as well. */
  readonly isTouched: () => boolean;
  readonly put: (resource: ResourceModel, row: Row) => void;
  readonly drop: (resource: ResourceModel, token: Token) => void;
  readonly setLink: (relation: RelationModel, from: Json, to: Json, linked: boolean) => boolean;
  readonly holderOf: (resource: ResourceModel, group: readonly string[], row: Row) => Row | undefined;
  readonly writeReceipt: (receipt: Receipt) => void;
  readonly commit: () => void;
}

interface LinkChange {
  readonly relation: RelationModel;
  readonly from: Json;
  readonly to: Json;
  readonly linked: boolean;
}

export function createOverlay({ view: base, tableOf, links, receipts }: Committed): Overlay {
  /** `null`: the row is gone. */
  const changes = new Map<string, Map<Token, Row | null>>();
  const linkChanges: LinkChange[] = [];
  const newReceipts: Receipt[] = [];
  const changesOf = ({ name }: ResourceModel): Map<Token, Row | null> => {
    let own = changes.get(name);
    if (own === undefined) {
      own = new Map();
      changes.set(name, own);
    }
    return own;
  };

  function* all(resource: ResourceModel): Generator<Row> {
    const own = changesOf(resource);
    for (const row of base.all(resource)) if (!own.has(tokenOfRow(resource, row))) yield row;
    for (const row of own.values()) if (row !== null) yield row;
  }

  /** Where the same two rows were linked and unlinked again, the last word counts. */
  function linked(relation: RelationModel, value: Json): readonly Json[] {
    const far = new Set(base.linked(relation, value));
    for (const change of linkChanges) {
      const [near, other] = sidesOf(change, relation) ?? [];
      if (near !== value || other === undefined) continue;
      if (change.linked) far.add(other);
      else far.delete(other);
    }
    return [...far];
  }

  const lookups: Omit<View, "related"> = {
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
      const rows = base.withValue(resource, field, value).filter((row) => !own.has(tokenOfRow(resource, row)));
      for (const row of own.values()) if (row !== null && (row[field] ?? null) === value) rows.push(row);
      return rows;
    },
    linked,
  };

  return {
    view: { ...lookups, related: (relation, row) => relatedRows(lookups, relation, row) },
    isTouched: () => linkChanges.length > 0 || [...changes.values()].some((own) => own.size > 0),
    put: (resource, row) => void changesOf(resource).set(tokenOfRow(resource, row), row),
    drop: (resource, token) => void changesOf(resource).set(token, null),
    setLink(relation, from, to, isLinked) {
      if (linked(relation, from).includes(to) === isLinked) return false;
      linkChanges.push({ relation, from, to, linked: isLinked });
      return true;
    },
    holderOf(resource, group, row) {
      const own = changesOf(resource);
      const holder = tableOf(resource.name).holderOf(group, row);
      if (holder !== undefined && !own.has(tokenOfRow(resource, holder))) return holder;
      const token = uniqueToken(group, row);
      for (const other of own.values()) {
        if (other !== null && token !== undefined && uniqueToken(group, other) === token) return other;
      }
      return undefined;
    },
    writeReceipt: (receipt) => void newReceipts.push(receipt),
    commit() {
      // Everything that goes makes room for everything that comes.
      for (const [name, own] of changes) {
        const table = tableOf(name);
        for (const token of own.keys()) {
          const before = table.byKey.get(token);
          if (before !== undefined) table.delete(before);
        }
      }
      for (const [name, own] of changes) for (const row of own.values()) if (row !== null) tableOf(name).insert(row);
      for (const { relation, from, to, linked: isLinked } of linkChanges) links.set(relation, from, to, isLinked);
      for (const receipt of newReceipts) receipts.set(receipt);
    },
  };
}

/** A change seen from the side where a relation starts; undefined where it is of another link table. */
function sidesOf({ relation, from, to }: LinkChange, seen: RelationModel): readonly [Json, Json] | undefined {
  if (relation.through === undefined || relation.through.name !== seen.through?.name) return undefined;
  return relation.through.from === seen.through.from ? [from, to] : [to, from];
}
