import { availableParallelism } from "node:os";
import { BifocalError, type MaybePromise, type StoreContext, type StoreLoad } from "@bifocal/core/store";
import { WaitingLine } from "../../waiting-line.ts";
import { PATIENCE } from "../late-signals.ts";
import { SqliteThread } from "./sqlite-thread.ts";
import type { ThreadData, ThreadQuestion } from "./sqlite-thread-code.ts";

interface Waiting {
  readonly resolve: (thread: SqliteThread) => void;
  readonly reject: (error: unknown) => void;
}

type Rows = readonly (readonly unknown[])[];

/** Threads at most; with one, a statement that takes long would keep all others waiting. */
const MAX_THREADS = Math.max(2, Math.min(4, availableParallelism()));

/**
 * Threads that run the reads which take long, so that they neither block the event loop nor run past their deadlines.
 * They are started when they are first needed.
 */
export class SqliteThreads {
  readonly #data: Omit<ThreadData, "flag">;
  readonly #all = new Set<SqliteThread>();
  readonly #idle: SqliteThread[] = [];
  #waiting: Waiting[] = [];
  readonly #line = new WaitingLine();
  readonly load = (): StoreLoad => this.#line.load();

  constructor(data: Omit<ThreadData, "flag">) {
    this.#data = data;
  }

  /** Rejects with the reason of the signal as soon as it aborts; the thread is free again once its statement has stopped. */
  async read(question: ThreadQuestion, context: StoreContext | undefined): Promise<Rows> {
    const { signal } = context ?? {};
    const thread = await this.#lend(signal);
    let cutting: NodeJS.Timeout | undefined;
    const answer = thread.read(question).finally(() => {
      clearTimeout(cutting);
      this.#giveBack(thread);
    });
    if (signal === undefined) return answer;
    let onAbort = (): void => {};
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => {
        reject(signal.reason);
        thread.stop();
        // A statement that never looks holds its thread until it is done; others get a new one.
        cutting = setTimeout(() => this.#giveUp(thread), PATIENCE).unref();
      };
      signal.addEventListener("abort", onAbort, { once: true });
    });
    return Promise.race([answer, aborted]).finally(() => signal.removeEventListener("abort", onAbort));
  }

  async close(): Promise<void> {
    const all = [...this.#all];
    this.#all.clear();
    this.#idle.length = 0;
    for (const { reject } of this.#waiting) reject(new BifocalError("UNAVAILABLE", "The store is closed."));
    this.#waiting = [];
    await Promise.all(all.map((thread) => thread.close()));
  }

  #lend(signal: AbortSignal | undefined): MaybePromise<SqliteThread> {
    signal?.throwIfAborted();
    const thread = this.#idle.pop();
    if (thread?.isAlive === true) return thread;
    if (thread !== undefined) this.#all.delete(thread);
    if (this.#all.size < MAX_THREADS) return this.#start();
    const turn = this.#line.enter();
    return new Promise<SqliteThread>((resolve, reject) => {
      const waiting: Waiting = { resolve, reject };
      this.#waiting.push(waiting);
      signal?.addEventListener(
        "abort",
        () => {
          const at = this.#waiting.indexOf(waiting);
          if (at < 0) return;
          this.#waiting.splice(at, 1);
          reject(signal.reason);
        },
        { once: true },
      );
    }).finally(() => this.#line.leave(turn));
  }

  #start(): SqliteThread {
    const thread = new SqliteThread(this.#data);
    this.#all.add(thread);
    return thread;
  }

  #giveBack(thread: SqliteThread): void {
    if (!this.#all.has(thread)) return;
    const [next] = this.#waiting;
    if (thread.isAlive && next === undefined) this.#idle.push(thread);
    else if (thread.isAlive) this.#waiting.shift()?.resolve(thread);
    else this.#giveUp(thread);
  }

  #giveUp(thread: SqliteThread): void {
    if (!this.#all.delete(thread)) return;
    void thread.close();
    this.#waiting.shift()?.resolve(this.#start());
  }
}
