export { sqlIdempotency, type SqlIdempotencyOptions } from "./idempotency/sql-idempotency.ts";
export { postgresBus, type PostgresBusOptions } from "./dialect/postgres/postgres-bus.ts";
export { type SqlStore, sqlStore } from "./sql-store.ts";
export type { Explanation, ExplainedStatement } from "./explain/explain.ts";
export { applyMigrations, checkSchema, type MigrationOptions, planMigration } from "./migrate.ts";
export { MigrationError } from "./migrations/migration-error.ts";
export type { SqlStoreOptions } from "./options.ts";
export type { Naming, NamingRules, TableOptions } from "./table/naming.ts";
export type { ReadPlan } from "./choice.ts";
