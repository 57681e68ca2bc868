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
  const receipts = new Map<string, Receipt>();
  return {
    get(token) {
      const receipt = receipts.get(token);
      return receipt === undefined || receipt.expires <= Date.now() ? undefined : receipt;
    },
    set(receipt) {
      receipts.set(receipt.token, receipt);
      for (const [token, { expires }] of receipts) {
        if (expires > Date.now()) break;
        receipts.delete(token);
      }
    },
  };
}
