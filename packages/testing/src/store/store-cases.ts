import { filterCases } from "./filter-cases.ts";
import { listCases } from "./list-cases.ts";
import { receiptCases } from "./receipt-cases.ts";
import type { StoreCase } from "./store-case.ts";
import { transactionCases } from "./transaction-cases.ts";
import { versionCases } from "./version-cases.ts";
import { writeCases } from "./write-cases.ts";

/**
 * Every case that a store must pass, each with a stable id. Run each one on a new fixture.
 *
 * @example
 * test.each(storeCases)("$id $name", async (one) => one.run(await createFixture(() => myStore())));
 */
export const storeCases: readonly StoreCase[] = [
  ...filterCases,
  ...listCases,
  ...writeCases,
  ...versionCases,
  ...transactionCases,
  ...receiptCases,
];
