import { availableParallelism } from "node:os";
import { BifocalError, type MaybePromise, type StoreContext, type StoreLoad } from "@bifocal/core/store";
import { ConnectionQueue } from "../../connection-queue.ts";
import { CANCEL_TIMEOUT_MS } from "../late-signals.ts";
import { SqliteThread } from "./sqlite-thread.ts";
import type { ThreadData, ThreadQuestion } from "./sqlite-thread-code.ts";

interface Waiting {
  readonly resolve: (thread: SqliteThread) => void;
  readonly reject: (error: unknown) => void;
}

type Rows = readonly (readonly unknown[])[];

/** Maximum number of threads. With a single thread, one slow statement would block all others. */
const MAX_THREADS = Math.max(2, Math.min(4, availableParallelism()));

/**
 * Runs slow reads in worker threads, so that they neither block the event loop nor exceed their deadlines. Threads
 * start on first use.
 */
export class SqliteThreads {
  readonly #data: Omit<ThreadData, "flag">;
  readonly #all = new Set<SqliteThread>();
  readonly #idle: SqliteThread[] = [];
  #waiting: Waiting[] = [];
  readonly #queue = new ConnectionQueue();
  readonly load = (): StoreLoad => this.#queue.load();

  constructor(data: Omit<ThreadData, "flag">) {
    this.#data = data;
  }

  /** Rejects with the signal's reason as soon as it aborts. The thread becomes free when its statement has stopped. */
  async read(question: ThreadQuestion, context: StoreContext | undefined): Promise<Rows> {
    const { signal } = context ?? {};
    const thread = await this.#acquire(signal);
    let cutting: NodeJS.Timeout | undefined;
    const answer = thread.read(question).finally(() => {
      clearTimeout(cutting);
      this.#release(thread);
    });
    if (signal === undefined) return answer;
    let onAbort = (): void => {};
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => {
        reject(signal.reason);
        thread.stop();
        // A statement without a guard occupies its thread until it has finished. After this time, another thread
        // replaces it.
        cutting = setTimeout(() => this.#giveUp(thread), CANCEL_TIMEOUT_MS).unref();
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

  #acquire(signal: AbortSignal | undefined): MaybePromise<SqliteThread> {
    signal?.throwIfAborted();
    const thread = this.#idle.pop();
    if (thread?.isAlive === true) return thread;
    if (thread !== undefined) this.#all.delete(thread);
    if (this.#all.size < MAX_THREADS) return this.#start();
    const turn = this.#queue.enter();
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
    }).finally(() => this.#queue.leave(turn));
  }

  #start(): SqliteThread {
    const thread = new SqliteThread(this.#data);
    this.#all.add(thread);
    return thread;
  }

  #release(thread: SqliteThread): void {
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
