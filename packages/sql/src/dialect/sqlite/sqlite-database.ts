import { resolve } from "node:path";
import { createMutex } from "@bifocal/core/internal";
import type { Database } from "../../database.ts";
import { GroupCommit } from "./group-commit.ts";
import { type ReadElsewhere, SqliteConnection } from "./sqlite-connection.ts";
import { faultOf } from "./sqlite-faults.ts";
import { GO_ON, STOP } from "./sqlite-guard.ts";
import { sqliteModule } from "./sqlite-module.ts";
import { SqliteThreads } from "./sqlite-threads.ts";

export interface SqliteOptions {
  /** A path, or `:memory:`. */
  readonly file: string;
  /** Milliseconds to wait for another process that is writing. */
  readonly busyTimeout: number;
}

/**
 * Maximum size of the cache of the writing connection. Keys without an order, such as UUIDs, are inserted all over an
 * index. With SQLite's 2 MB, each of them would read a page of a large index from the file.
 */
const WRITER_CACHE_KIB = 65_536;

/**
 * Opens a file with `node:sqlite`. One connection writes and another reads, so that uncommitted changes stay invisible;
 * worker threads run slow reads. Concurrent writes share commits. An in-memory database has one connection, and reads
 * wait for a running transaction.
 */
export async function sqliteDatabase({ file, busyTimeout }: SqliteOptions): Promise<Database> {
  const { DatabaseSync: Sqlite } = sqliteModule();
  const isMemory = file === ":memory:" || file === "";
  const open = (elsewhere?: ReadElsewhere): SqliteConnection =>
    new SqliteConnection(new Sqlite(file), busyTimeout, elsewhere);
  const writer = open();
  if (!isMemory)
    await untilFree(() => {
      writer.run("pragma journal_mode = wal; pragma synchronous = full; pragma temp_store = memory");
      writer.run(`pragma cache_size = -${WRITER_CACHE_KIB}`);
    });
  const threads = isMemory
    ? undefined
    : new SqliteThreads({ file: resolve(file), busyTimeout, goOn: GO_ON, stop: STOP });
  const reader =
    threads === undefined ? writer : open((sql, values, context) => threads.read({ sql, values }, context));
  if (!isMemory) reader.run("pragma query_only = on");
  const mutex = createMutex();
  // Without a disk, a commit waits for nothing, and reads would see the changes before it.
  const group = isMemory ? undefined : new GroupCommit(writer, mutex);
  const alone = (): SqliteConnection => {
    group?.flush();
    return writer;
  };

  return {
    query(statement, values, context) {
      if (isRead(statement.sql) && !isMemory) return reader.query(statement, values, context);
      return mutex.runWhenFree(() => alone().query(statement, values, context));
    },
    run: (text) => mutex.runWhenFree(() => alone().run(text)),
    session: (work) => mutex.runExclusive(() => work(alone())),
    ...(group === undefined ? {} : { shareCommit: (work) => group.run(work) }),
    ...(threads === undefined ? {} : { load: threads.load }),
    async close() {
      await group?.close();
      await threads?.close();
      if (reader !== writer) reader.close();
      writer.close();
    },
  };
}

const [TRIES, PAUSE] = [100, 30];

/** When several processes open a new file at once, they can block each other regardless of the busy timeout. */
async function untilFree(work: () => void): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      work();
      return;
    } catch (thrown) {
      if (tries === TRIES || faultOf(thrown)?.kind !== "retry") throw thrown;
      await new Promise((resolve) => setTimeout(resolve, PAUSE * (0.5 + Math.random())));
    }
  }
}

function isRead(text: string): boolean {
  return /^\s*(select|with|explain)/i.test(text);
}
