export { postgresBus, type PostgresBusOptions } from "./dialect/postgres/postgres-bus.ts";
export { sqlStore } from "./sql-store.ts";
export { applyMigrations, checkSchema, type MigrationOptions, planMigration } from "./migrate.ts";
export { MigrationError } from "./migrations/migration-error.ts";
export type { SqlStoreOptions } from "./options.ts";
export type { Naming, NamingRules, TableOptions } from "./table/naming.ts";
export type { ReadPlan } from "./choice.ts";
