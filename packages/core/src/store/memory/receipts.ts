import type { Receipt } from "../store.ts";

export interface Receipts {
  readonly get: (token: string) => Receipt | undefined;
  readonly set: (receipt: Receipt) => void;
}

/** Receipts by token. Expired ones go as new ones come: all live equally long, so the oldest come first. */
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
