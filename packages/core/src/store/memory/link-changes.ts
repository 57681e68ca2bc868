import type { LinkTable, RelationModel } from "../../model/model.ts";
import { isSameFields, type Token } from "../../model/reference.ts";

type Side = Map<Token, Map<Token, boolean>>;
/** A change in the form that `Links` takes. */
type LinkChange = readonly [relation: Pick<RelationModel, "through">, from: Token, to: Token, linked: boolean];

interface Sides {
  readonly through: LinkTable;
  readonly near: Side;
  readonly far: Side;
}

/** The links that a transaction has added and removed, indexed from both sides. */
export class LinkChanges {
  readonly #tables = new Map<string, Sides>();

  /** Returns the changed links of a token, by the token on the other side. */
  of({ through }: Pick<RelationModel, "through">, token: Token): ReadonlyMap<Token, boolean> | undefined {
    const table = through && this.#tables.get(through.name);
    if (through === undefined || table === undefined) return undefined;
    return (isSameFields(through.from, table.through.from) ? table.near : table.far).get(token);
  }

  set({ through }: Pick<RelationModel, "through">, from: Token, to: Token, linked: boolean): void {
    if (through === undefined) return;
    let table = this.#tables.get(through.name);
    if (table === undefined) {
      table = { through, near: new Map(), far: new Map() };
      this.#tables.set(through.name, table);
    }
    const isNear = isSameFields(through.from, table.through.from);
    setOne(isNear ? table.near : table.far, from, to, linked);
    setOne(isNear ? table.far : table.near, to, from, linked);
  }

  *all(): Generator<LinkChange> {
    for (const { through, near } of this.#tables.values()) {
      for (const [from, others] of near) for (const [to, linked] of others) yield [{ through }, from, to, linked];
    }
  }
}

function setOne(side: Side, from: Token, to: Token, linked: boolean): void {
  const others = side.get(from);
  if (others === undefined) side.set(from, new Map([[to, linked]]));
  else others.set(to, linked);
}
