import type { Fault } from "../fault.ts";
import { LOST } from "../lost.ts";

interface PostgresError {
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly column?: unknown;
  readonly table?: unknown;
  readonly message?: unknown;
  readonly routine?: unknown;
  readonly severity?: unknown;
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
      // Triggers can raise this error without a constraint.
      if (typeof constraint !== "string") return { kind: "conflict" };
      return { kind: "unique", constraint, table: String(table) };
    // Exclusion constraints compare rows by other operators than equality.
    case "23P01":
      return { kind: "conflict" };
    case "23503":
      return isReferenced(thrown)
        ? { kind: "referenced", constraint: String(constraint) }
        : { kind: "reference", constraint: String(constraint), table: String(table) };
    // `on delete restrict`, since PostgreSQL 18.
    case "23001":
      return { kind: "referenced", ...(typeof constraint === "string" && { constraint }) };
    // `raise exception` in a trigger.
    case "23000":
    case "P0001":
      return { kind: "rejected" };
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
    // The server ended the session, because it or its transaction was idle or took too long.
    case "25P03":
    case "25P04":
    case "57P04":
    case "57P05":
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
  // Class 22 is "data exception", 23514 is "check violation", 44000 is that of a view.
  if (code.startsWith("22") || code === "23514" || code === "44000") {
    const [, type] = / for (?:enum|type) (.+?)(?::|$)/.exec(String(message)) ?? [];
    return type === undefined ? { kind: "value" } : { kind: "value", type };
  }
  return code.startsWith("08") || LOST.has(code) ? { kind: "lost" } : undefined;
}

/**
 * Whether a violation of a foreign key concerns the referenced row. Both cases have the same code, and messages may be
 * translated. Only in this case, the message names a table besides that of the foreign key.
 */
function isReferenced({ message, table, constraint }: PostgresError): boolean {
  const text = String(message);
  if (text.startsWith("update or delete")) return true;
  if (text.startsWith("insert or update") || typeof table !== "string" || typeof constraint !== "string") return false;
  const others = text.replace(constraint, "").replace(table, "").replace(EMPTY_QUOTES, "");
  return QUOTE.test(others);
}

/** The quotation marks of PostgreSQL's translations. */
const QUOTE = /["“”„«»「」]/u;
const EMPTY_QUOTES = /["“”„«»「]\s*["“”«»」]/gu;

/** Whether PostgreSQL has reported the error of a statement, so that its transaction wasn't committed. */
export function isStatementError(thrown: unknown): boolean {
  if (typeof thrown !== "object" || thrown === null) return false;
  const { code, severity } = thrown as PostgresError;
  if (typeof code !== "string" || !/^[0-9A-Z]{5}$/.test(code)) return false;
  // A server can crash with an error of class 58 ("system error") or XX ("internal error") during the commit. Its
  // severity may be translated.
  return severity === "ERROR" || !/^(?:58|XX)/.test(code);
}

/** Whether the session has kept a plan for a column that has changed its type. */
export function isStale(thrown: unknown): thrown is Error {
  if (!(thrown instanceof Error)) return false;
  const { code, routine } = thrown as PostgresError;
  if (code === "0A000") return routine === "RevalidateCachedQuery";
  // Functions of triggers keep plans, too.
  return code === "42804" && String(routine).startsWith("plpgsql_param_eval");
}

function isLost(message: unknown): boolean {
  return (
    typeof message === "string" &&
    /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/.test(
      message,
    )
  );
}
