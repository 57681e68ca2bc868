/** The settings of a thread. */
export interface ThreadData {
  /** The path of the database. */
  readonly file: string;
  /** Milliseconds. */
  readonly busyTimeout: number;
  /** The name of the function that statements call as they go on. */
  readonly goOn: string;
  /** Its first value is 1 while the statement that runs is to stop. */
  readonly flag: Int32Array;
}

/** A statement for a thread. */
export interface ThreadQuestion {
  readonly sql: string;
  readonly values: readonly (string | number | bigint | null)[];
}

/** The answer of a thread: rows, or the parts of an error that `structuredClone` would drop. */
export type ThreadAnswer =
  | { readonly rows: readonly (readonly unknown[])[] }
  | { readonly error: { readonly message: string; readonly code?: string; readonly errcode?: number } };

/**
 * The code of a thread that reads, as text: bundlers would not find a file of its own, and would change a function. It
 * answers one question at a time.
 */
export const THREAD_CODE = `
const { parentPort, workerData } = require("node:worker_threads");
const { DatabaseSync } = require("node:sqlite");
const { file, busyTimeout, goOn, flag } = workerData;
const MAX_CHARACTERS = 500_000;
const prepared = new Map();
let characters = 0;
const db = new DatabaseSync(file, { readOnly: true });
db.exec("pragma busy_timeout = " + busyTimeout);
db.function(goOn, () => {
  if (Atomics.load(flag, 0) === 1) throw new Error("The statement was stopped.");
  return 1;
});
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
    answer = { error: { message, code, errcode } };
  }
  parentPort.postMessage(answer);
});
`;
