import { memoryStore, type Store } from "@bifocal/core";
import { sqlStore } from "@bifocal/sql";
import { servers } from "@bifocal/test-servers";
import pg from "pg";
import { withoutSync } from "../worlds/shelf.ts";

/** A store for worlds of one schema. */
export interface OpenedStore {
  readonly store: Store;
  /** Deletes all rows with one statement. Absent if the rows must be deleted one by one. */
  readonly clear?: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface StoreKind {
  readonly name: string;
  /** Why its tests are skipped. */
  readonly missing: string | undefined;
  /** Its share of the response cases. */
  readonly share: number;
  /** The number of cases per schema. */
  readonly casesPerSchema: number;
  /** Its share of the stream cases, where each change passes through a log. */
  readonly streamShare: number;
  readonly create: () => Promise<OpenedStore>;
}

const postgres = servers.find(({ name }) => name === "postgres");

/** The tables of worlds. Tables whose rows reference each other accept them in any order. */
export const STORES: readonly StoreKind[] = [
  {
    name: "memory",
    missing: undefined,
    share: 0.5,
    casesPerSchema: 20,
    streamShare: 0.6,
    create: async () => renewed(),
  },
  {
    name: "SQLite",
    missing: undefined,
    share: 0.35,
    casesPerSchema: 25,
    streamShare: 0.2,
    create: async () => opened(sqlStore({ url: ":memory:", foreignKeys: false })),
  },
  {
    name: "PostgreSQL",
    missing: postgres?.missing,
    share: 0.15,
    casesPerSchema: 100,
    streamShare: 0.04,
    async create() {
      if (postgres === undefined) throw new Error("PostgreSQL is missing from the test servers.");
      const database = await postgres.create();
      await withoutSync(database);
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      const own = sqlStore({ url: database.url, autoCreate: true, foreignKeys: false, max: 4 });
      const { store, close } = opened(own, async () => {
        await client.end();
        await database.drop();
      });
      return { store, clear: clearing(client), close };
    },
  },
];

/** Returns a function that deletes the rows of all tables except those of Bifocal itself. */
function clearing(client: pg.Client): () => Promise<void> {
  let statement = "";
  return async () => {
    // The first use of the store creates its tables.
    if (statement === "") {
      const tables = await client.query<{ name: string }>(
        "select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename not like 'bifocal%'",
      );
      statement = tables.rows.map(({ name }) => `delete from ${name};`).join(" ");
    }
    await client.query(statement);
  };
}

/** A memory store serves a single API: it finds rows with a unique value by the model that it was opened with. */
function renewed(): OpenedStore {
  let own = memoryStore();
  const open: Store["open"] = (...given) => {
    own = memoryStore();
    return own.open(...given);
  };
  const store = new Proxy(own, {
    get(_, name) {
      if (name === "open") return open;
      if (name === "close" || name === "mistakes") return undefined;
      const member: unknown = Reflect.get(own, name, own);
      return typeof member === "function" ? (member.bind(own) as unknown) : member;
    },
  });
  return { store, close: async () => own.close?.() };
}

/**
 * An API closes its store and reports a store of another API as a mistake, but one store serves many APIs of the same
 * schema.
 */
function opened(own: Store, drop: () => Promise<void> = async () => {}): OpenedStore {
  let opening: Promise<void> | undefined;
  const open: Store["open"] = (...given) => (opening ??= Promise.resolve(own.open(...given)));
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
    async close() {
      await own.close?.();
      await drop();
    },
  };
}
