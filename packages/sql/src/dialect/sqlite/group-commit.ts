import type { Mutex } from "@bifocal/core/internal";
import type { SqliteConnection } from "./sqlite-connection.ts";

/** Milliseconds after which a group accepts no more members, because other processes wait for its lock. */
const MAX_AGE = 10;

/** The transaction that the members of a group share. */
interface Group {
  readonly started: number;
  members: number;
  /** Resolves when the changes of all members are on the disk. */
  readonly committed: Promise<void>;
  readonly settle: (failure?: unknown) => void;
}

interface Member<T> {
  readonly group: Group;
  /** Returns the result, or throws the error of the member. */
  readonly outcome: () => T;
}

/** The transaction of a group could not be committed. Each of its members can try again in its own transaction. */
export class GroupCommitError extends Error {
  constructor(cause: unknown) {
    super("A transaction that several writes shared could not be committed.", { cause });
  }
}

/**
 * Commits writes that arrive in the same turn of the event loop together, because a commit waits for the disk. Each
 * write has a savepoint, so its failure doesn't affect the others (ADR 82).
 */
export class GroupCommit {
  readonly #connection: SqliteConnection;
  readonly #mutex: Mutex;
  #group: Group | undefined;

  constructor(connection: SqliteConnection, mutex: Mutex) {
    this.#connection = connection;
    this.#mutex = mutex;
  }

  /**
   * Runs `work`, which may wait only for statements of the connection. Settles after the commit, because `work` has
   * seen the changes of other members. They and its own changes exist only then.
   */
  async run<T>(work: (connection: SqliteConnection) => Promise<T>): Promise<T> {
    const { group, outcome } = await this.#mutex.runExclusive(() => this.#join(work));
    await group.committed;
    return outcome();
  }

  /** Commits the open group. Call it before any other statement of the connection. */
  flush(): void {
    const group = this.#group;
    if (group === undefined) return;
    this.#group = undefined;
    try {
      this.#connection.run("commit");
    } catch (thrown) {
      this.#rollBack();
      group.settle(group.members > 1 ? new GroupCommitError(thrown) : thrown);
      return;
    }
    group.settle();
  }

  /** Commits the open group after the running member. */
  async close(): Promise<void> {
    if (this.#group !== undefined) await this.#mutex.runWhenFree(() => this.flush());
  }

  async #join<T>(work: (connection: SqliteConnection) => Promise<T>): Promise<Member<T>> {
    const group = (this.#group ??= this.#begin());
    group.members++;
    const member = { group, outcome: await this.#runMember(group, work) };
    if (performance.now() - group.started > MAX_AGE) this.flush();
    return member;
  }

  /** The first member needs no savepoint: if it fails, nothing else is rolled back with it. */
  async #runMember<T>(group: Group, work: (connection: SqliteConnection) => Promise<T>): Promise<() => T> {
    const connection = this.#connection;
    const isFirst = group.members === 1;
    try {
      if (!isFirst) connection.run("savepoint member");
      const result = await work(connection);
      if (!isFirst) connection.run("release member");
      return () => result;
    } catch (thrown) {
      if (isFirst) this.#end(group);
      else this.#undo(group, thrown);
      return () => {
        throw thrown;
      };
    }
  }

  #begin(): Group {
    this.#connection.run("begin immediate");
    let settle: Group["settle"] = () => {};
    const committed = new Promise<void>((resolve, reject) => {
      settle = (failure) => (failure === undefined ? resolve() : reject(failure));
    });
    const group: Group = { started: performance.now(), members: 0, committed, settle };
    // Requests whose data has arrived are handled before this.
    setImmediate(() => {
      if (this.#group === group) void this.#mutex.runWhenFree(() => this.#group === group && this.flush());
    });
    return group;
  }

  #undo(group: Group, thrown: unknown): void {
    try {
      this.#connection.run("rollback to member");
      this.#connection.run("release member");
    } catch {
      // SQLite has ended the transaction by itself, for example because the disk is full.
      this.#end(group, new GroupCommitError(thrown));
    }
  }

  #end(group: Group, failure?: GroupCommitError): void {
    this.#group = undefined;
    this.#rollBack();
    group.settle(failure);
  }

  #rollBack(): void {
    try {
      this.#connection.run("rollback");
    } catch {
      // SQLite has already rolled back.
    }
  }
}
