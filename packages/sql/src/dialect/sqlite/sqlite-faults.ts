import type { Fault } from "../fault.ts";
import { GroupCommitError } from "./group-commit.ts";

interface SqliteError {
  readonly errcode?: unknown;
  /** Set by better-sqlite3 and other drivers. */
  readonly code?: unknown;
  readonly message?: unknown;
}

/** Classifies errors by result code (sqlite.org/rescode.html). */
export function faultOf(thrown: unknown): Fault | undefined {
  if (typeof thrown !== "object" || thrown === null) return undefined;
  if (thrown instanceof GroupCommitError) return { kind: "retry" };
  const { errcode, code, message } = thrown as SqliteError;
  const text = String(message);
  // SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY.
  if (errcode === 2067 || errcode === 1555 || text.startsWith("UNIQUE constraint failed")) return uniqueFault(text);
  if (errcode === 787 || text.startsWith("FOREIGN KEY constraint failed")) return { kind: "reference" };
  if (errcode === 1299 || text.startsWith("NOT NULL constraint failed")) {
    const column = /: [^.]+\.(.+)$/.exec(text)?.[1];
    return column === undefined ? { kind: "value" } : { kind: "value", column };
  }
  // SQLITE_CONSTRAINT_CHECK, SQLITE_MISMATCH.
  if (errcode === 275 || errcode === 20 || text.startsWith("CHECK constraint failed")) return { kind: "value" };
  // SQLITE_CONSTRAINT_TRIGGER: `raise` in a trigger.
  if (errcode === 1811 || code === "SQLITE_CONSTRAINT_TRIGGER") return { kind: "rejected" };
  // SQLITE_TOOBIG.
  if (errcode === 18 || code === "SQLITE_TOOBIG") return { kind: "value", isLarge: true };
  // SQLITE_BUSY and its extended codes, SQLITE_LOCKED.
  const primary = typeof errcode === "number" ? errcode & 0xff : undefined;
  if (primary === 5 || primary === 6 || code === "SQLITE_BUSY") return { kind: "retry" };
  // SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN.
  if (primary === 8 || primary === 10 || primary === 13 || primary === 14) return { kind: "lost" };
  return undefined;
}

function uniqueFault(text: string): Fault {
  const names = /failed: (.+)$/.exec(text)?.[1]?.split(", ") ?? [];
  const [table] = names[0]?.split(".") ?? [];
  const columns = names.map((name) => name.slice(name.indexOf(".") + 1));
  return { kind: "unique", columns, ...(table === undefined ? {} : { table }) };
}
