import { createHmac, createSecretKey, timingSafeEqual } from "../runtime/crypto.ts";
import type { Filter } from "../operation/filter.ts";
import type { Sort } from "../operation/sort.ts";
import type { Position } from "../store/store.ts";
import { canonicalJson } from "../util/canonical-json.ts";

export interface Cursors {
  encode(scope: string, position: Position): string;
  /** Returns `undefined` if the cursor was not created by this API for this scope. */
  decode(scope: string, cursor: string): Position | undefined;
}

const MAC_BYTES = 16;

/**
 * Creates cursors, which are positions signed together with their scope. They can't be forged or used with another
 * list. They aren't encrypted: a caller who can sort by a field can read it.
 */
export function createCursors(secret: string): Cursors {
  // Prepared once, because importing a key takes longer than signing a cursor.
  const key = createSecretKey(secret, "utf8");
  const sign = (scope: string, position: Buffer): Buffer => {
    const hmac = createHmac("sha256", key);
    // JSON is self-delimiting, so the scope can't run into the position.
    hmac.update(JSON.stringify(["cursor", scope])).update(position);
    // Truncation to 128 bits: RFC 2104 §5.
    return hmac.digest().subarray(0, MAC_BYTES);
  };
  return {
    encode(scope, position) {
      const bytes = Buffer.from(JSON.stringify(position));
      return Buffer.concat([sign(scope, bytes), bytes]).toString("base64url");
    },
    decode(scope, cursor) {
      const bytes = Buffer.from(cursor, "base64url");
      // Node ignores characters outside base64url, so several texts would decode to the same cursor.
      if (bytes.length <= MAC_BYTES || bytes.toString("base64url") !== cursor) return undefined;
      const position = bytes.subarray(MAC_BYTES);
      if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), sign(scope, position))) return undefined;
      return JSON.parse(position.toString()) as Position;
    },
  };
}

/** Returns the scope of a cursor: the list, its sort and the caller's filter, but not its page. */
export function cursorScope(
  resource: string,
  relation: string | undefined,
  sort: Sort,
  filter: Filter | undefined,
): string {
  return canonicalJson([resource, relation ?? null, sort, filter ?? null]);
}
