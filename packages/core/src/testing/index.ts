// What every store has to do, as cases for any test runner: `@bifocal/core/testing`.
import { filterCases } from "./filter-cases.ts";
import { listCases } from "./list-cases.ts";
import type { StoreCase } from "./store-case.ts";
import { transactionCases } from "./transaction-cases.ts";
import { receiptCases } from "./receipt-cases.ts";
import { versionCases } from "./version-cases.ts";
import { writeCases } from "./write-cases.ts";

export { createFixture, type Fixture } from "./fixture.ts";
export { LINKS, ROWS } from "./rows.ts";
export { skipReason, type StoreCase } from "./store-case.ts";

/**
 * Every case, with a stable id. Each wants a fixture of its own.
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
export { type AuditClient, type AuditRequest, type AuditAnswer, type RestAudit } from "./rest/audit.ts";
export { createAuditApi } from "./rest/audit-api.ts";
export { type AuditResult, auditRest, REST_AUDITS } from "./rest/audit-rest.ts";
export { assertCompatible, type SchemaChange, schemaChanges } from "./graphql/schema-changes.ts";
