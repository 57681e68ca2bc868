import { memoryBus, memoryStore, type Bus, type Store } from "@bifocal/core";
import { sqlStore } from "@bifocal/sql";
import { servers } from "@bifocal/test-servers";

/** A store whose committed changes can be read. */
export interface Recorded {
  readonly store: Store;
  readonly bus: Bus | undefined;
  /** Returns the changes that were committed since the last call, in order. */
  readonly changes: () => Promise<readonly unknown[]>;
  readonly drop: () => Promise<void>;
}

export interface Kind {
  readonly name: string;
  readonly missing: string | undefined;
  /** The store's share of the cases. */
  readonly share: number;
  readonly create: () => Promise<Recorded>;
}

/** A store with a change log. */
function withLog(store: Store, drop: () => Promise<void>): Recorded {
  let offset = 0;
  return {
    store,
    bus: undefined,
    drop,
    async changes() {
      await store.changeLog?.advance();
      const page = await store.changeLog?.read({ after: offset, limit: 10_000 });
      if (page?.kind !== "page") throw new Error("The store has no log, or has lost some of it.");
      offset = page.offset;
      return page.changes.map(({ draft }) => draft);
    },
  };
}

/** A store without a change log publishes its changes over the bus. */
function overBus(): Recorded {
  const bus = memoryBus();
  let told: unknown[] = [];
  bus.subscribe({
    message: (text) => {
      const letter = JSON.parse(text) as { readonly kind: string; readonly changes?: readonly unknown[] };
      told.push(...(letter.changes ?? [letter.kind]));
    },
    missed: () => told.push("missed"),
  });
  return {
    store: memoryStore(),
    bus,
    drop: async () => {},
    async changes() {
      const all = told;
      told = [];
      return all;
    },
  };
}

const postgres = servers.find(({ name }) => name === "postgres");

export const KINDS: readonly Kind[] = [
  { name: "memory", missing: undefined, share: 0.6, create: () => Promise.resolve(overBus()) },
  {
    name: "SQLite",
    missing: undefined,
    share: 0.3,
    create: () => Promise.resolve(withLog(sqlStore({ url: ":memory:" }), async () => {})),
  },
  {
    name: "PostgreSQL",
    missing: postgres?.missing,
    share: 0.1,
    async create() {
      const database = await (postgres as (typeof servers)[number]).create();
      return withLog(sqlStore({ url: database.url, autoCreate: true, max: 4 }), database.drop);
    },
  },
];
