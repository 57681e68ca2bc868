import type { Receipt, Store } from "@bifocal/core/store";
import assert from "node:assert/strict";
import type { Fixture } from "./fixture.ts";
import type { StoreCase } from "./store-case.ts";

const DAY = 86_400_000;

function receipt(given: Partial<Receipt> = {}): Receipt {
  return { token: "t", fingerprint: "f", value: { keys: ["a", 1] }, expires: Date.now() + DAY, ...given };
}

async function write({ store, context }: Fixture, given: Receipt, after: () => void = () => {}): Promise<void> {
  await store.transaction(async (inner: Store) => {
    await inner.writeReceipt?.(given, context);
    after();
  }, context);
}

async function read({ store, context }: Fixture, token: string): Promise<Receipt | undefined> {
  return store.transaction(async (inner: Store) => inner.readReceipt?.(token, context), context);
}

const cases: readonly Omit<StoreCase, "id" | "needs">[] = [
  {
    name: "a receipt exists once its transaction is committed",
    async run(fixture) {
      assert.equal(await read(fixture, "t"), undefined);
      const given = receipt();
      await write(fixture, given);
      assert.deepEqual(await read(fixture, "t"), given);
      assert.equal(await read(fixture, "other"), undefined);
    },
  },
  {
    name: "a receipt is rolled back with its transaction",
    async run(fixture) {
      const failing = write(fixture, receipt(), () => {
        throw new Error("no");
      });
      await assert.rejects(failing, /no/);
      assert.equal(await read(fixture, "t"), undefined);
    },
  },
  {
    name: "an expired receipt is absent, and its token can be used again",
    async run(fixture) {
      await write(fixture, receipt({ expires: Date.now() - 1 }));
      assert.equal(await read(fixture, "t"), undefined);
      const given = receipt({ fingerprint: "other" });
      await write(fixture, given);
      assert.deepEqual(await read(fixture, "t"), given);
    },
  },
  {
    name: "a receipt keeps any JSON, also null and long lists",
    async run(fixture) {
      const keys = Array.from({ length: 5_000 }, (_, index) => `key ${index} ✓`);
      const values = [null, true, 0, "", [], {}, { key: ["a", 1], created: true }, keys];
      for (const [index, value] of values.entries()) {
        const given = receipt({ token: `t${index}`, value });
        await write(fixture, given);
        assert.deepEqual(await read(fixture, `t${index}`), given);
      }
    },
  },
];

export const receiptCases: readonly StoreCase[] = cases.map((one, index) => ({
  ...one,
  id: `RECEIPT-${String(index + 1).padStart(2, "0")}`,
  needs: ["writes", "transactions", "receipts"],
}));
