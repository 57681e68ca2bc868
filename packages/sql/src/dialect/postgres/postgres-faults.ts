import type { Fault } from "../fault.ts";
import { LOST } from "../lost.ts";

interface PostgresError {
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly column?: unknown;
  readonly table?: unknown;
  readonly message?: unknown;
  readonly routine?: unknown;
}

/**
 * Classifies errors by SQLSTATE (PostgreSQL, appendix A), and connection errors by the code of Node or the message of
 * the driver.
 */
export function faultOf(thrown: unknown): Fault | undefined {
  if (typeof thrown !== "object" || thrown === null) return undefined;
  const { code, constraint, column, table, message, routine } = thrown as PostgresError;
  if (isStale(thrown)) return { kind: "lost" };
  if (typeof code !== "string") return isLost(message) ? { kind: "lost" } : undefined;
  switch (code) {
    case "23505":
      return { kind: "unique", constraint: String(constraint), table: String(table) };
    case "23503":
      return String(message).startsWith("update or delete")
        ? { kind: "referenced", constraint: String(constraint) }
        : { kind: "reference", constraint: String(constraint), table: String(table) };
    case "23502":
      return { kind: "value", column: String(column) };
    // On a write, this means that an index row doesn't fit into a page.
    case "54000":
      return { kind: "value", isLong: true };
    case "40001":
    case "40P01":
    // Lock timeout.
    case "55P03":
      return { kind: "retry" };
    // The rewriter applies rules (PostgreSQL, 41.4). Its messages may be translated.
    case "0A000":
      return routine === "RewriteQuery" ? { kind: "ruled" } : undefined;
    case "57014":
      return { kind: "canceled" };
    // The server is a read-only replica, its disk is full, or it has no memory left.
    case "25006":
    case "53100":
    case "53200":
    case "53300":
    case "57P01":
    case "57P02":
    case "57P03":
      return { kind: "lost" };
  }
  // Class 22 is "data exception", 23514 is "check violation".
  if (code.startsWith("22") || code === "23514") {
    const [, type] = / for (?:enum|type) (.+?)(?::|$)/.exec(String(message)) ?? [];
    return type === undefined ? { kind: "value" } : { kind: "value", type };
  }
  return code.startsWith("08") || LOST.has(code) ? { kind: "lost" } : undefined;
}

/**
 * Whether the statement was prepared before a column of its result changed its type (PostgreSQL,
 * RevalidateCachedQuery).
 */
export function isStale(thrown: unknown): thrown is Error {
  return thrown instanceof Error && thrown.message.startsWith("cached plan must not change result type");
}

function isLost(message: unknown): boolean {
  return (
    typeof message === "string" &&
    /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/.test(
      message,
    )
  );
}
