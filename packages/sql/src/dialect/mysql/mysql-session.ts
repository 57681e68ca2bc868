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

type QueryOptions = Parameters<AnyConnection["execute"]>[0];

/** Runs a statement over the text protocol. */
export function queryText(connection: AnyConnection, options: QueryOptions): ReturnType<AnyConnection["query"]> {
  return connection.query({ ...options, typeCast });
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
