import { memoryStore, type Row as StoredRow, type Store } from "@bifocal/core";
import type { Model } from "@bifocal/core/store";
import { sqlStore } from "@bifocal/sql";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import pg from "pg";
import type { State } from "./world.ts";

const CONTEXT = { signal: undefined };

/** A store that many worlds use one after the other, so that slow set-up on a server runs only once. */
export interface Shelf {
  /** The store for a world's API. It is already open, and stays open when the API is closed. */
  readonly store: Store;
  /** Sets its rows to those of a state, without the engine. */
  readonly fill: (model: Model, state: State) => Promise<void>;
  readonly close: () => Promise<void>;
}

async function createShelf(own: Store, drop: () => Promise<void>): Promise<Shelf> {
  let opening: Promise<void> | undefined;
  const open = (model: Model): Promise<void> =>
    (opening ??= Promise.resolve(own.open(model, [...model.resources.values()])));
  const store = new Proxy(own, {
    get(target, name) {
      if (name === "open") return open;
      if (name === "close" || name === "mistakes") return undefined;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
  return {
    store,
    async fill(model, { rows, notes }) {
      await open(model);
      await own.transaction(async (inside) => {
        for (const [name, all] of [
          ["note", notes],
          ["row", rows],
        ] as const) {
          const resource = model.resources.get(name);
          if (resource === undefined) throw new Error(`There is no ${name}.`);
          const sort = [{ path: ["id"], descending: false }] as const;
          const { rows: old } = await inside.list({ resource, sort, limit: 1_000 }, CONTEXT);
          for (const row of old) await inside.delete({ resource, key: row["id"] as number }, CONTEXT);
          if (all.length > 0) await inside.insert({ resource, rows: all as unknown as readonly StoredRow[] }, CONTEXT);
        }
      }, CONTEXT);
    },
    async close() {
      await own.close?.();
      await drop();
    },
  };
}

/** Commits without waiting for the disk, because a test database may lose data. */
export async function withoutSync({ url }: TestDatabase): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`);
  await client.end();
}

export interface StoreKind {
  readonly name: string;
  /** Why its tests are skipped. */
  readonly missing: string | undefined;
  /** Its share of the event cases, where each change passes through a log. */
  readonly heard: number;
  readonly create: () => Promise<Shelf>;
}

const postgres = servers.find(({ name }) => name === "postgres");

/** The tables of worlds. Tables whose rows reference each other accept them in any order. */
export const KINDS: readonly StoreKind[] = [
  { name: "memory", missing: undefined, heard: 0.6, create: () => createShelf(memoryStore(), async () => {}) },
  {
    name: "SQLite",
    missing: undefined,
    heard: 0.3,
    create: () => createShelf(sqlStore({ url: ":memory:", foreignKeys: false }), async () => {}),
  },
  {
    name: "PostgreSQL",
    missing: postgres?.missing,
    heard: 0.1,
    async create() {
      const database = await (postgres as (typeof servers)[number]).create();
      await withoutSync(database);
      const store = sqlStore({ url: database.url, autoCreate: true, foreignKeys: false, max: 4 });
      return createShelf(store, database.drop);
    },
  },
];
