import type { Row } from "./model.ts";

const TEXTS = new WeakMap<readonly Row[], string>();

/**
 * Returns the JSON of rows that are being written. The text is kept with the list, because the response has the same one
 * if the store returns the list itself.
 */
export function writtenText(rows: readonly Row[]): string {
  let text = TEXTS.get(rows);
  if (text === undefined) keepText(rows, (text = JSON.stringify(rows)));
  return text;
}

/** Keeps the JSON of rows, whose members must not change any more. */
export function keepText(rows: readonly Row[], text: string): void {
  TEXTS.set(rows, text);
}

/** Returns the JSON of rows if a store has written it. */
export function knownText(rows: readonly Row[]): string | undefined {
  return TEXTS.get(rows);
}
