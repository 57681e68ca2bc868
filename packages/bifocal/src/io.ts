import type { Writable } from "node:stream";
import { styleText } from "node:util";

/** Working directory and output streams of a command. */
export interface Io {
  /** Base of relative paths. */
  readonly folder: string;
  /** Results (stdout). */
  readonly out: Writable;
  /** Messages and errors (stderr). */
  readonly err: Writable;
}

export function print({ out }: Io, text: string): void {
  out.write(`${text}\n`);
}

export function printMessage({ err }: Io, text: string): void {
  err.write(`${text}\n`);
}

/** Adds color if the stream is a terminal. */
export function paint(stream: Writable, format: "red" | "yellow" | "bold" | "cyan" | "magenta", text: string): string {
  return styleText(format, text, { stream });
}
