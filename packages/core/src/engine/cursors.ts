import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import type { Filter } from "../operation/filter.ts";
import type { Sort } from "../operation/sort.ts";
import type { Position } from "../store/store.ts";
import { canonicalJson } from "../util/canonical-json.ts";

export interface Cursors {
  encode(scope: string, position: Position): string;
  /** `undefined` where the cursor was not made here for this scope. */
  decode(scope: string, cursor: string): Position | undefined;
}

const MAC_BYTES = 16;

/**
 * Cursors are a position, signed together with the scope it belongs to: they cannot be forged, nor carried to another
 * list. They are not encrypted; a caller who may sort by a field may read it.
 */
export function createCursors(secret: string): Cursors {
  // Prepared once: to import a key takes longer than to sign a cursor with it.
  const key = createSecretKey(secret, "utf8");
  const sign = (scope: string, position: Buffer): Buffer => {
    const hmac = createHmac("sha256", key);
    // JSON ends where it ends, so the scope cannot run into the position.
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
      // Node skips what is not base64url, so that many texts would be one cursor.
      if (bytes.length <= MAC_BYTES || bytes.toString("base64url") !== cursor) return undefined;
      const position = bytes.subarray(MAC_BYTES);
      if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), sign(scope, position))) return undefined;
      return JSON.parse(position.toString()) as Position;
    },
  };
}

/** What a cursor is bound to: the list, its sort and the caller's filter, but not its page. */
export function cursorScope(
  resource: string,
  relation: string | undefined,
  sort: Sort,
  filter: Filter | undefined,
): string {
  return canonicalJson([resource, relation ?? null, sort, filter ?? null]);
}
