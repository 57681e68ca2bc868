import type { BifocalError } from "../errors/bifocal-error.ts";

/** Receives the values of a stream in order. */
export interface Observer<T> {
  /** Called for each value. Must not block. If it throws, it isn't called again. */
  readonly next: (value: T) => void;
  /**
   * Returns a promise that resolves when the reader has consumed most of its pending values; undefined if it already has.
   * Used before large deliveries: the initial state, missed changes, and commits with many changes.
   */
  readonly drain?: () => Promise<void> | undefined;
  /** The stream ended on its own: with an error, or because its source closed. */
  readonly end: (error: BifocalError | undefined) => void;
}
