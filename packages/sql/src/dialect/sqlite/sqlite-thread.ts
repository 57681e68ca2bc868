import { Worker } from "node:worker_threads";
import { BifocalError } from "@bifocal/core/store";
import { THREAD_CODE, type ThreadAnswer, type ThreadData, type ThreadQuestion } from "./sqlite-thread-code.ts";

interface Asked {
  readonly resolve: (rows: readonly (readonly unknown[])[]) => void;
  readonly reject: (error: unknown) => void;
}

/** A worker thread with its own read-only connection. It runs one statement at a time. */
export class SqliteThread {
  readonly #worker: Worker;
  readonly #flag = new Int32Array(new SharedArrayBuffer(4));
  #asked: Asked | undefined;
  #failure: unknown;
  /** False once it has stopped or was closed. */
  isAlive = true;

  constructor(data: Omit<ThreadData, "flag">) {
    const workerData: ThreadData = { ...data, flag: this.#flag };
    // Without the loaders that the application was started with.
    this.#worker = new Worker(THREAD_CODE, { eval: true, workerData, execArgv: [], name: "bifocal-sqlite" });
    this.#worker.unref();
    this.#worker.on("message", (answer: ThreadAnswer) => this.#settle(answer));
    this.#worker.on("error", (error) => (this.#failure = error));
    this.#worker.on("exit", () => this.#end());
  }

  /**
   * Returns the rows of a statement. Rejects with the error of `node:sqlite`, or with UNAVAILABLE if the thread stops.
   */
  read(question: ThreadQuestion): Promise<readonly (readonly unknown[])[]> {
    return new Promise((resolve, reject) => {
      this.#asked = { resolve, reject };
      Atomics.store(this.#flag, 0, 0);
      // Keeps the process alive until the statement has finished.
      this.#worker.ref();
      this.#worker.postMessage(question);
    });
  }

  /** Makes the running statement fail at the next call of its guard. */
  stop(): void {
    Atomics.store(this.#flag, 0, 1);
  }

  /** Ends the thread, at the latest when its statement has finished. */
  async close(): Promise<void> {
    this.isAlive = false;
    this.stop();
    await this.#worker.terminate();
  }

  #settle(answer: ThreadAnswer): void {
    const asked = this.#asked;
    this.#asked = undefined;
    this.#worker.unref();
    if ("rows" in answer) asked?.resolve(answer.rows);
    else asked?.reject(Object.assign(new Error(answer.error.message), answer.error));
  }

  #end(): void {
    this.isAlive = false;
    const headers = { "Retry-After": "1" };
    const message = "The thread that reads the database has stopped. Try again.";
    this.#asked?.reject(new BifocalError("UNAVAILABLE", message, { cause: this.#failure, headers }));
    this.#asked = undefined;
  }
}
