import type { LinkTable, RelationModel } from "../../model/model.ts";
import type { Json } from "../../util/json.ts";

/** The links of all many-to-many relations, indexed from both sides. */
export interface Links {
  readonly far: (relation: RelationModel, value: Json) => readonly Json[];
  readonly has: (relation: RelationModel, from: Json, to: Json) => boolean;
  /** Returns false if nothing changed. */
  readonly set: (relation: Pick<RelationModel, "through">, from: Json, to: Json, linked: boolean) => boolean;
}

interface Sides {
  readonly columns: readonly [string, string];
  readonly near: Map<Json, Set<Json>>;
  readonly far: Map<Json, Set<Json>>;
}

export function createLinks(): Links {
  const tables = new Map<string, Sides>();

  /** Returns the two sides as seen from the relation's first column. */
  function sidesOf({ name, from, to }: LinkTable): readonly [Map<Json, Set<Json>>, Map<Json, Set<Json>>] {
    let table = tables.get(name);
    if (table === undefined) {
      table = { columns: [from, to], near: new Map(), far: new Map() };
      tables.set(name, table);
    }
    return table.columns[0] === from ? [table.near, table.far] : [table.far, table.near];
  }

  return {
    far: (relation, value) => {
      if (relation.through === undefined) return [];
      return [...(sidesOf(relation.through)[0].get(value) ?? [])];
    },
    has: (relation, from, to) =>
      relation.through !== undefined && sidesOf(relation.through)[0].get(from)?.has(to) === true,
    set(relation, from, to, linked) {
      if (relation.through === undefined) return false;
      const [near, far] = sidesOf(relation.through);
      if ((near.get(from)?.has(to) === true) === linked) return false;
      setOne(near, from, to, linked);
      setOne(far, to, from, linked);
      return true;
    },
  };
}

function setOne(side: Map<Json, Set<Json>>, from: Json, to: Json, linked: boolean): void {
  const set = side.get(from) ?? new Set();
  if (linked) side.set(from, set.add(to));
  else if (set.delete(to) && set.size === 0) side.delete(from);
}
