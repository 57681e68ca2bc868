export { sqlStore } from "./sql-store.ts";
export type { SqlStoreOptions } from "./options.ts";
export type { Naming, NamingRules, TableOptions } from "./table/naming.ts";
