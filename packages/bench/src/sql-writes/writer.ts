import type { EditionRow } from "../editions.ts";

/** The rows of a write that are not its own: events and receipts. */
export interface Extras {
  /** Whether each row gets an event. */
  readonly hasEvents: boolean;
  /** Whether the events get positions, soon after the write. */
  readonly hasPositions: boolean;
  readonly receipt: Receipt | undefined;
}

export interface Receipt {
  readonly token: string;
  readonly fingerprint: string;
  /** The response. */
  readonly value: string;
}

/** The SQL of an expert by hand. */
export interface Writer {
  /** Inserts all rows or none. */
  readonly insert: (rows: readonly EditionRow[], extras: Extras) => Promise<void> | void;
  readonly receiptOf: (token: string) => Promise<Receipt | undefined> | Receipt | undefined;
}

/** Milliseconds that a receipt is kept. */
export const RECEIPT_LIFETIME = 86_400_000;
