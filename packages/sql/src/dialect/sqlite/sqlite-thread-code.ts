export interface ThreadData {
  /** Path of the database file. */
  readonly file: string;
  /** In milliseconds. */
  readonly busyTimeout: number;
  /** Name of the SQL function that guards call. */
  readonly goOn: string;
  /** The result of that function that makes a statement fail. */
  readonly stop: bigint;
  /** Its first element is 1 while the running statement must stop. */
  readonly flag: Int32Array;
}

/** A statement for a worker thread. */
export interface ThreadQuestion {
  readonly sql: string;
  readonly values: readonly (string | number | bigint | null)[];
}

/** The result of a statement: its rows, or the properties of an error, some of which `structuredClone` would drop. */
export type ThreadAnswer =
  | { readonly rows: readonly (readonly unknown[])[] }
  | { readonly error: { readonly message: string; readonly code?: string; readonly errcode?: number } };

/**
 * The code of a worker thread that runs reads, one at a time. It is text because bundlers would not find a separate
 * file and would transform a function.
 */
export const THREAD_CODE = `
const { parentPort, workerData } = require("node:worker_threads");
const { DatabaseSync } = require("node:sqlite");
const { file, busyTimeout, goOn, stop, flag } = workerData;
const MAX_CHARACTERS = 500_000;
const prepared = new Map();
let characters = 0;
const db = new DatabaseSync(file, { readOnly: true });
db.exec("pragma busy_timeout = " + busyTimeout);
const isStopped = () => Atomics.load(flag, 0) === 1;
db.function(goOn, () => (isStopped() ? stop : 1));
function prepare(sql) {
  const known = prepared.get(sql);
  if (known !== undefined) return known;
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  characters += sql.length;
  if (characters > MAX_CHARACTERS) {
    prepared.clear();
    characters = sql.length;
  }
  prepared.set(sql, statement);
  return statement;
}
parentPort.on("message", ({ sql, values }) => {
  let answer;
  try {
    answer = { rows: prepare(sql).all(...values) };
  } catch ({ message, code, errcode }) {
    answer = { error: { message: isStopped() ? "The statement was stopped." : message, code, errcode } };
  }
  parentPort.postMessage(answer);
});
`;
