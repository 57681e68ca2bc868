import {
  apiKeys,
  asSystem,
  belongsTo,
  defineApi,
  defineResource,
  deny,
  generate,
  hasMany,
  silentLog,
  through,
} from "@bifocal/core";
import { z } from "zod";
import { asked, type Row as Plain, toRule, type Tree } from "../rule-tree.ts";
import type { Shelf } from "./shelf.ts";

/** The rights of P, as rules in the form of data. */
export interface Rules {
  readonly read: Tree;
  readonly price: Tree;
  readonly write: Tree;
  readonly note: Tree;
}

export interface Row extends Plain {
  readonly price: number;
  /** Unique. */
  readonly code: number | null;
  /** Internal. */
  readonly secret: number;
}

export interface Note {
  readonly id: number;
  readonly rowId: number;
  readonly text: string;
}

/** All data of an API. */
export interface State {
  readonly rows: readonly Row[];
  readonly notes: readonly Note[];
}

const int = z.int32();

/** An API with the rules, over a store that the test fills. All worlds sign their cursors with the same secret. */
export function createWorld(rules: Rules, { store, fill }: Pick<Shelf, "store" | "fill">) {
  const write = asked(toRule(rules.write));
  let next = 1_000;
  const row = defineResource("row", {
    fields: {
      id: int,
      color: int,
      size: int,
      boxId: int.nullable(),
      price: int.default(0),
      code: int.nullable().default(null),
      secret: int.default(0),
    },
    generated: { id: generate(() => next++) },
    relations: { box: belongsTo("row", "boxId"), items: hasMany("row", "boxId"), notes: hasMany("note", "rowId") },
    access: {
      read: asked(toRule(rules.read, 3)),
      create: write,
      update: write,
      delete: write,
      fields: { price: { read: toRule(rules.price, 5) } },
    },
    actions: {
      set: {
        on: "item",
        access: deny,
        input: z.record(z.string(), int.nullable()),
        run: ({ item, input, store }) => store.update(item.id, input as Partial<typeof item>),
      },
    },
    internal: ["secret"],
    unique: ["code"],
    bulk: { create: 50, update: 50, delete: 50 },
    filterable: ["id", "color", "size", "boxId", "price"],
    sortable: ["color", "size", "price"],
  });
  const note = defineResource("note", {
    fields: { id: int, rowId: int, text: z.string() },
    relations: { row: belongsTo("row", "rowId", { onDelete: "cascade" }) },
    access: { read: asked(through("row", toRule(rules.note, 7))), create: deny, update: deny, delete: deny },
    filterable: ["text"],
    sortable: ["text"],
  });
  const api = defineApi({
    resources: [row, note],
    store,
    auth: apiKeys({ p: { id: "p" } }),
    secret: "the same in all worlds",
    log: silentLog,
    graphql: { globalIds: true },
  });
  return {
    api,
    system: api.as(asSystem("what P does not see")),
    /** Resets the rows to those of another world with the same rules. */
    become: async (state: State): Promise<void> => {
      next = 1_000;
      await fill(api.model, state);
    },
  };
}

export type World = ReturnType<typeof createWorld>;
