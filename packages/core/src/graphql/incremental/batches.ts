import type { Key, ResourceModel } from "../../model/model.ts";
import { keyToken } from "../../operation/key.ts";
import type { ListOperation } from "../../operation/operation.ts";
import type { Selection } from "../../operation/selection.ts";
import { type Node, type NodePage, toNodePage } from "../node.ts";
import { unexpectedOutcome } from "../../operation/unexpected-outcome.ts";
import { afterThisTurn, type RowReader, readRow, readRows, selectKey } from "../read-rows.ts";

/** A request for a row by its key. */
export interface Wanted {
  /** Equal for all rows that may be read together. */
  readonly name: string;
  readonly resource: ResourceModel;
  readonly key: Key;
  /** Returns the selection. `isAlone` is true if this row is read on its own. */
  readonly select: (isAlone: boolean) => Selection;
}

interface Batch {
  readonly keys: Map<string, Key>;
  readonly found: Promise<ReadonlyMap<string, Node>>;
}

/** Reads rows again. Rows that are requested in one turn are read together. */
export class Batches {
  readonly #reader: RowReader;
  readonly #waiting = new Map<string, Batch>();
  /** Rows that were read or are being read. They are not read twice. */
  readonly #known = new Map<string, Promise<Node | undefined>>();
  #isOver = false;

  constructor(reader: RowReader) {
    this.#reader = reader;
  }

  /** Returns undefined if the row no longer exists or the caller may no longer see it. */
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

  /** Reads one page. Throws the error of a failure. */
  async list(operation: ListOperation): Promise<NodePage> {
    if (this.#isOver) throw new Error("The operation was canceled.");
    const { run, caller } = this.#reader;
    const outcome = await run(operation, caller);
    if (outcome.kind === "failure") throw outcome.error;
    return outcome.kind === "page" ? toNodePage(outcome.page) : unexpectedOutcome(outcome);
  }

  /** Cancels reads that have not started. */
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
    if (!isAlone) return readRows(resource, this.#reader, selection, keys);
    const row = await readRow(resource, this.#reader, selection, only);
    return new Map(row === undefined ? [] : [[keyToken(only), row]]);
  }
}
