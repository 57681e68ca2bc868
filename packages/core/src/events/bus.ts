import type { MaybePromise } from "../util/maybe-promise.ts";

/**
 * A driver that carries small messages between the instances of an API: each at most once, to those that are connected.
 * It is never the truth, so whatever it loses is found otherwise, or said to be missing.
 */
export interface Bus {
  /** Bytes that a message may have in UTF-8. Default: 65,536. */
  readonly messageBytes?: number;
  /** Hands a message to all who subscribe. Whether its own instance hears it makes no difference. Rejects where it cannot. */
  publish(message: string): MaybePromise<void>;
  /** Listens from now on, and again by itself after a connection was lost. Returns what ends it. */
  subscribe(listener: BusListener): () => void;
  close?(): MaybePromise<void>;
}

export interface BusListener {
  readonly message: (text: string) => void;
  /** The bus listens again after a time in which messages may have been missed. */
  readonly missed: () => void;
}
