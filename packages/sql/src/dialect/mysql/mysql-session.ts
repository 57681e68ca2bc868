import type { AnyConnection } from "./mysql2.ts";

/**
 * What cannot be stored is an error, and not cut; time is UTC. Text is sorted by its first 16,384 bytes, for which a sort
 * by thirty texts needs 8 MB. The driver writes values into texts with backslashes, which the server is to read as such, or
 * values could end their quotes.
 */
export const SESSION =
  "set time_zone = '+00:00', innodb_lock_wait_timeout = 5, " +
  "max_sort_length = 16384, sort_buffer_size = greatest(@@sort_buffer_size, 8388608), " +
  "sql_mode = concat(replace(@@sql_mode, 'NO_BACKSLASH_ESCAPES', ''), ',STRICT_ALL_TABLES')";

/** By error number. */
const TOO_MANY_PREPARED = 1461;

/** Where others have used up what a server keeps prepared, a statement runs as it is. */
export async function executeOrQuery(
  connection: AnyConnection,
  options: Parameters<AnyConnection["execute"]>[0],
): ReturnType<AnyConnection["execute"]> {
  try {
    return await connection.execute(options);
  } catch (thrown) {
    if ((thrown as { readonly errno?: unknown }).errno !== TOO_MANY_PREPARED) throw thrown;
    return connection.query(options);
  }
}
