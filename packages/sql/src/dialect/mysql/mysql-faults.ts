import type { Fault } from "../fault.ts";
import { LOST } from "../lost.ts";

/** ER_NET_PACKET_TOO_LARGE. */
export const TOO_LARGE = 1153;

interface MysqlError {
  readonly code?: unknown;
  readonly errno?: unknown;
  readonly message?: unknown;
  readonly fatal?: unknown;
  readonly sqlState?: unknown;
}

/**
 * Classifies errors by number (MySQL and MariaDB server error reference), and connection errors by the code of Node or
 * the driver.
 */
export function faultOf(thrown: unknown): Fault | undefined {
  if (typeof thrown !== "object" || thrown === null) return undefined;
  const { code, errno, message, fatal, sqlState } = thrown as MysqlError;
  const text = String(message);
  // `signal` in a trigger, which may set any error number.
  if (sqlState === "45000") return { kind: "rejected" };
  switch (errno) {
    case 1062: {
      const [, name = ""] = /for key '(?:[^'.]+\.)?([^']+)'$/.exec(text) ?? [];
      return { kind: "unique", constraint: name };
    }
    case 1216:
    case 1452: {
      const [, table, constraint] = /`([^`]+)`, CONSTRAINT `([^`]+)`/.exec(text) ?? [];
      return {
        kind: "reference",
        ...(table === undefined ? {} : { table }),
        ...(constraint === undefined ? {} : { constraint }),
      };
    }
    case 1217:
    case 1451: {
      const [, constraint] = /CONSTRAINT `([^`]+)`/.exec(text) ?? [];
      return { kind: "referenced", ...(constraint === undefined ? {} : { constraint }) };
    }
    case 1048:
    case 1264:
    case 1265:
    case 1292:
    case 1366:
    case 1406: {
      const [, column] = /[Cc]olumn (?:`[^`]+`\.`[^`]+`\.)?['`]([^'`]+)['`]/.exec(text) ?? [];
      return column === undefined ? { kind: "value" } : { kind: "value", column };
    }
    case 1690:
    case 3819:
    case 4025:
      return { kind: "value" };
    // The packet is larger than `max_allowed_packet`.
    case TOO_LARGE:
      return { kind: "value", isLarge: true };
    case 1205:
    case 1213:
    case 1020:
      return { kind: "retry" };
    case 1317:
    case 1969:
    case 3024:
      return { kind: "canceled" };
    // The disk or table is full, or the server or transaction is read-only.
    case 1021:
    case 1114:
    case 1290:
    case 1792:
    case 1836:
    case 1040:
    case 1053:
    case 1927:
    case 4031:
      return { kind: "lost" };
  }
  // The driver reports no code for a query on a closed connection.
  if (typeof code !== "string") return errno === undefined && fatal === true ? { kind: "lost" } : undefined;
  return LOST.has(code) || code.startsWith("PROTOCOL_") ? { kind: "lost" } : undefined;
}
