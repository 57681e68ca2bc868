import { TOO_LARGE } from "./mysql-faults.ts";
import type { AnyConnection, TypeCast } from "./mysql2.ts";

/**
 * Session settings. Values that don't fit are rejected instead of truncated, and times are in UTC. Text is sorted by
 * its first 16,384 bytes; a sort by thirty such texts needs 8 MB. The driver escapes values with backslashes, so the
 * server must not run with NO_BACKSLASH_ESCAPES: values could end their quotes.
 */
export const SESSION =
  "set time_zone = '+00:00', innodb_lock_wait_timeout = 5, " +
  "max_sort_length = 16384, sort_buffer_size = greatest(@@sort_buffer_size, 8388608), " +
  "sql_mode = concat(replace(@@sql_mode, 'NO_BACKSLASH_ESCAPES', ''), ',STRICT_ALL_TABLES')";

/** Reads the maximum number of bytes of a packet, which has one statement with its values. */
export async function maxPacketOf(connection: AnyConnection): Promise<number> {
  const [rows] = await connection.query({ sql: "select @@max_allowed_packet", rowsAsArray: true });
  return Number((rows as readonly (readonly unknown[])[])[0]?.[0]);
}

/** Bytes of a packet besides the text of the statement and its strings, with a margin. */
const OTHER_BYTES = 4_096;
/** Bytes of a value that isn't a string. */
const VALUE_BYTES = 32;

/**
 * Throws if a statement is larger than the server accepts. The server would end the connection, often before the driver
 * has read the reason.
 */
export function refuseLarge({ sql, values }: QueryOptions, isText: boolean, max: number): void {
  // A character has at most 3 bytes, and 2 if the text protocol escapes it.
  let most = OTHER_BYTES + sql.length * 3;
  for (const value of values) most += VALUE_BYTES + (typeof value === "string" ? value.length * 3 : 0);
  if (most <= max) return;
  let bytes = OTHER_BYTES + Buffer.byteLength(sql);
  for (const value of values) bytes += VALUE_BYTES + (typeof value === "string" ? bytesOf(value, isText) : 0);
  if (bytes > max)
    throw Object.assign(new Error(`The statement has ${bytes} bytes. The server's max_allowed_packet is ${max}.`), {
      errno: TOO_LARGE,
    });
}

/** The characters that the driver escapes in the text protocol. */
const ESCAPED = new Set("\0\b\t\n\r\u001a\"'\\");

function bytesOf(value: string, isText: boolean): number {
  let bytes = Buffer.byteLength(value);
  if (isText) for (const character of value) if (ESCAPED.has(character)) bytes++;
  return bytes;
}

type QueryOptions = Parameters<AnyConnection["execute"]>[0];

/** Runs a statement over the text protocol. */
export async function queryText(connection: AnyConnection, options: QueryOptions): ReturnType<AnyConnection["query"]> {
  try {
    return await connection.query({ ...options, typeCast });
  } catch (thrown) {
    // The driver adds the statement with its values, which must not be logged.
    if (thrown instanceof Error && "sql" in thrown) thrown.sql = options.sql;
    throw thrown;
  }
}

/**
 * `mysql2` parses a text of up to 17 characters digit by digit and rounds beyond 2^53: 9.372550340185505 becomes
 * 9.372550340185503. The binary protocol is exact.
 */
const typeCast: TypeCast = (field, next) => {
  if (field.type !== "DOUBLE") return next();
  const text = field.string();
  return text === null ? null : Number(text);
};

/** ER_MAX_PREPARED_STMT_COUNT_REACHED. */
const TOO_MANY_PREPARED = 1461;

/** Runs a statement without preparing it if the server has reached its limit of prepared statements. */
export async function executeOrQuery(
  connection: AnyConnection,
  options: QueryOptions,
): ReturnType<AnyConnection["execute"]> {
  try {
    return await connection.execute(options);
  } catch (thrown) {
    if ((thrown as { readonly errno?: unknown }).errno !== TOO_MANY_PREPARED) throw thrown;
    return queryText(connection, options);
  }
}
