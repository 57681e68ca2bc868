import { LinkedList, type Link } from "../../util/linked-list.ts";
import type { Receipt } from "../store.ts";

export interface Receipts {
  readonly get: (token: string) => Receipt | undefined;
  readonly set: (receipt: Receipt) => void;
}

/**
 * Creates a map of receipts by token. Setting a receipt deletes expired ones. All have the same lifetime, so the oldest
 * come first.
 */
export function createReceipts(): Receipts {
  const receipts = new Map<string, Link<Receipt>>();
  // An iterator of the map would step over all entries that were deleted since the map rebuilt its table.
  const byAge = new LinkedList<Receipt>();
  return {
    get(token) {
      const receipt = receipts.get(token)?.value;
      return receipt === undefined || receipt.expires <= Date.now() ? undefined : receipt;
    },
    set(receipt) {
      const before = receipts.get(receipt.token);
      if (before !== undefined) byAge.remove(before);
      receipts.set(receipt.token, byAge.add(receipt));
      const now = Date.now();
      for (const { token, expires } of byAge) {
        if (expires > now) break;
        byAge.remove(receipts.get(token) as Link<Receipt>);
        receipts.delete(token);
      }
    },
  };
}
