import { AsyncLocalStorage } from "node:async_hooks";
import type { Json } from "@bifocal/core/store";
import type { Statement } from "../database.ts";

export interface RecordedStatement {
  readonly statement: Statement;
  readonly values: readonly Json[];
  readonly milliseconds: number;
  readonly rows: number;
}

export interface Recording {
  readonly statements: RecordedStatement[];
  /** The plan chosen for each nested read, and the reason. */
  readonly choices: string[];
}

const current = new AsyncLocalStorage<Recording>();
let count = 0;

/** Returns the recording of the current async context; `undefined` if there is none. */
export function recording(): Recording | undefined {
  return count === 0 ? undefined : current.getStore();
}

/** Records the statements that SQL stores run for `work`, without those of concurrent work. */
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
