import { aggregateCases } from "./aggregate-cases.ts";
import { filterCases } from "./filter-cases.ts";
import { listCases } from "./list-cases.ts";
import { relatedValueCases } from "./related-value-cases.ts";
import { receiptCases } from "./receipt-cases.ts";
import { referenceCases } from "./reference-cases.ts";
import { searchCases } from "./search-cases.ts";
import { softDeleteCases } from "./soft-delete-cases.ts";
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
  ...aggregateCases,
  ...relatedValueCases,
  ...referenceCases,
  ...writeCases,
  ...versionCases,
  ...softDeleteCases,
  ...transactionCases,
  ...receiptCases,
  ...searchCases,
];
