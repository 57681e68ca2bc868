import type { LinkTable, RelationModel } from "../../model/model.ts";
import { isSameFields, type Token } from "../../model/reference.ts";

/** The links of all many-to-many relations, indexed from both sides. */
export interface Links {
  readonly far: (relation: RelationModel, token: Token) => readonly Token[];
  readonly has: (relation: RelationModel, from: Token, to: Token) => boolean;
  /** Returns false if nothing changed. */
  readonly set: (relation: Pick<RelationModel, "through">, from: Token, to: Token, linked: boolean) => boolean;
}

interface Sides {
  /** The columns of the near side. */
  readonly columns: readonly string[];
  readonly near: Map<Token, Set<Token>>;
  readonly far: Map<Token, Set<Token>>;
}

export function createLinks(): Links {
  const tables = new Map<string, Sides>();

  /** Returns the two sides as seen from the relation's first column. */
  function sidesOf({ name, from }: LinkTable): readonly [Map<Token, Set<Token>>, Map<Token, Set<Token>>] {
    let table = tables.get(name);
    if (table === undefined) {
      table = { columns: from, near: new Map(), far: new Map() };
      tables.set(name, table);
    }
    return isSameFields(table.columns, from) ? [table.near, table.far] : [table.far, table.near];
  }

  return {
    far: (relation, token) => {
      if (relation.through === undefined) return [];
      return [...(sidesOf(relation.through)[0].get(token) ?? [])];
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

function setOne(side: Map<Token, Set<Token>>, from: Token, to: Token, linked: boolean): void {
  const set = side.get(from) ?? new Set();
  if (linked) side.set(from, set.add(to));
  else if (set.delete(to) && set.size === 0) side.delete(from);
}
