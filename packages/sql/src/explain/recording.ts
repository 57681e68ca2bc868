import { AsyncLocalStorage } from "node:async_hooks";
import type { Json } from "@bifocal/core/store";
import type { Statement } from "../database.ts";

/** A statement that ran. */
export interface Recorded {
  readonly statement: Statement;
  readonly values: readonly Json[];
  readonly milliseconds: number;
  readonly rows: number;
}

export interface Recording {
  readonly statements: Recorded[];
  /** Which plan was chosen for a nested read, and why. */
  readonly choices: string[];
}

const current = new AsyncLocalStorage<Recording>();
let count = 0;

/** Where what runs now is to be noted, if it is. */
export function recording(): Recording | undefined {
  return count === 0 ? undefined : current.getStore();
}

/** Notes what SQL stores do for `work`, and nothing that others do meanwhile. */
export async function record(work: () => Promise<unknown>): Promise<Recording> {
  const made: Recording = { statements: [], choices: [] };
  count++;
  try {
    await current.run(made, work);
  } finally {
    count--;
  }
  return made;
}
