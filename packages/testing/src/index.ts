// Cases that every store must pass, audits that every adapter must pass, and a comparison of GraphQL schemas.
export { assertCompatible, type SchemaChange, schemaChanges } from "./graphql/schema-changes.ts";
export type { AuditAnswer, AuditClient, AuditRequest, RestAudit } from "./rest/audit.ts";
export { createAuditApi } from "./rest/audit-api.ts";
export { type AuditResult, auditRest, REST_AUDITS } from "./rest/audit-rest.ts";
export { createFixture, type Fixture } from "./store/fixture.ts";
export { LINKS, ROWS } from "./store/rows.ts";
export { skipReason, type StoreCase } from "./store/store-case.ts";
export { storeCases } from "./store/store-cases.ts";
