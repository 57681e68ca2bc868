import type { Writable } from "node:stream";
import { styleText } from "node:util";

/** Where a command runs, and where it writes to. */
export interface Io {
  /** Relative paths start here. */
  readonly folder: string;
  /** What was asked for. */
  readonly out: Writable;
  /** All else. */
  readonly err: Writable;
}

export function print({ out }: Io, text: string): void {
  out.write(`${text}\n`);
}

export function tell({ err }: Io, text: string): void {
  err.write(`${text}\n`);
}

/** In colour where a person reads it. */
export function paint(stream: Writable, format: "red" | "yellow" | "bold", text: string): string {
  return styleText(format, text, { stream });
}
