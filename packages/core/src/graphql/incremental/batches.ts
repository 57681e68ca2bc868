import type { Key, ResourceModel } from "../../model/model.ts";
import { keyToken } from "../../operation/key.ts";
import type { ListOperation } from "../../operation/operation.ts";
import type { Node, PageNode } from "../../operation/outcome.ts";
import type { Selection } from "../../operation/selection.ts";
import type { ExecutionContext } from "../context.ts";
import { unexpected } from "../root-field.ts";
import { afterThisTurn, readRow, readRows, selectKey } from "../read-rows.ts";

/** What is read of rows that are known by their keys. */
export interface Wanted {
  /** The same for all rows that may be read together. */
  readonly name: string;
  readonly resource: ResourceModel;
  readonly key: Key;
  /** `isAlone`: this row is read without others. */
  readonly select: (isAlone: boolean) => Selection;
}

interface Batch {
  readonly keys: Map<string, Key>;
  readonly found: Promise<ReadonlyMap<string, Node>>;
}

/** Reads rows once more, those that are wanted in one turn together. */
export class Batches {
  readonly #context: Pick<ExecutionContext, "run" | "caller">;
  readonly #waiting = new Map<string, Batch>();
  /** What was read, or is being read: it is not read again. */
  readonly #known = new Map<string, Promise<Node | undefined>>();
  #isOver = false;

  constructor(context: Pick<ExecutionContext, "run" | "caller">) {
    this.#context = context;
  }

  /** Undefined where there is no such row any more, or the caller may not see it now. */
  read(wanted: Wanted): Promise<Node | undefined> {
    const token = keyToken(wanted.key);
    const name = `${wanted.name} ${token}`;
    let known = this.#known.get(name);
    if (known === undefined) {
      known = this.#join(wanted, token).then((rows) => rows.get(token));
      this.#known.set(name, known);
    }
    return known;
  }

  /** One page. Throws the error of a failure. */
  async list(operation: ListOperation): Promise<PageNode> {
    if (this.#isOver) throw new Error("The operation was canceled.");
    const { run, caller } = this.#context;
    const outcome = await run(operation, caller);
    if (outcome.kind === "failure") throw outcome.error;
    return outcome.kind === "page" ? outcome.page : unexpected(outcome);
  }

  /** Nobody waits for what is not read yet. */
  stop(): void {
    this.#isOver = true;
  }

  #join(wanted: Wanted, token: string): Promise<ReadonlyMap<string, Node>> {
    let batch = this.#waiting.get(wanted.name);
    if (batch === undefined) {
      const keys = new Map<string, Key>();
      batch = { keys, found: afterThisTurn().then(() => this.#flush(wanted, [...keys.values()])) };
      this.#waiting.set(wanted.name, batch);
    }
    batch.keys.set(token, wanted.key);
    return batch.found;
  }

  async #flush({ name, resource, select }: Wanted, keys: readonly Key[]): Promise<ReadonlyMap<string, Node>> {
    this.#waiting.delete(name);
    if (this.#isOver) return new Map();
    const [only] = keys;
    const isAlone = only !== undefined && keys.length === 1;
    const selection = selectKey(resource, select(isAlone));
    if (!isAlone) return readRows(resource, this.#context, selection, keys);
    const row = await readRow(resource, this.#context, selection, only);
    return new Map(row === undefined ? [] : [[keyToken(only), row]]);
  }
}
