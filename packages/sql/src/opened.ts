import type { Model, ResourceModel } from "@bifocal/core/store";
import { Choice } from "./choice.ts";
import { type Connection, type Database } from "./database.ts";
import type { Dialect, DialectName } from "./dialect/dialect.ts";
import { faultOf as mysqlFault } from "./dialect/mysql/mysql-faults.ts";
import { discoverMysql, findMysqlTables } from "./dialect/mysql/mysql-catalog.ts";
import { mysqlDatabase } from "./dialect/mysql/mysql-database.ts";
import { faultOf as postgresFault } from "./dialect/postgres/postgres-faults.ts";
import { discoverPostgres, findPostgresTables } from "./dialect/postgres/postgres-catalog.ts";
import { checkPolicies, checkRole } from "./dialect/postgres/check-policies.ts";
import { postgresDatabase } from "./dialect/postgres/postgres-database.ts";
import { faultOf as sqliteFault } from "./dialect/sqlite/sqlite-faults.ts";
import { discoverSqlite, findSqliteTables } from "./dialect/sqlite/sqlite-catalog.ts";
import { sqliteDatabase } from "./dialect/sqlite/sqlite-database.ts";
import { toError } from "./errors.ts";
import { hostedDatabase } from "./hosted.ts";
import { dialectOf, sqliteFile, type SqlStoreOptions } from "./options.ts";
import { EVENT_LOG, EVENTS } from "./outbox/event-tables.ts";
import { alone } from "./schema/alone.ts";
import { createMissing } from "./schema/create-tables.ts";
import { checkTables } from "./schema/check-tables.ts";
import { RECEIPTS, systemTables } from "./schema/system-tables.ts";
import { withPolicies } from "./schema/policies.ts";
import { type WantedTable, wantedTables } from "./schema/wanted.ts";
import { Statements } from "./statement/statements.ts";
import type { Found } from "./table/found.ts";
import { fullName, resolveLinks, resolveNames, resolveTables } from "./table/resolve-tables.ts";
import type { Tables } from "./table/table.ts";
import type { TenantSetting } from "./tenant-setting.ts";

/** A connected store: everything that operations need. */
export interface Opened {
  readonly database: Database;
  readonly dialect: Dialect;
  readonly tables: Tables;
  readonly statements: Statements;
  readonly choice: Choice;
  /** Present if PostgreSQL limits the rows of each tenant. */
  readonly tenants: TenantSetting | undefined;
  /** Whether the table of receipts exists. */
  readonly keepsReceipts: boolean;
  /** Whether the tables of the change log exist. */
  readonly keepsChanges: boolean;
}

/** The database of a store, before its version and tables are known. */
export interface Source {
  readonly database: Database;
  readonly name: DialectName;
  readonly isHosted: boolean;
}

export async function openSource(options: SqlStoreOptions, tenants?: TenantSetting): Promise<Source> {
  const { url, max = 10, connectTimeout = 5_000 } = options;
  if (url === undefined) return hostedDatabase(options);
  const name = dialectOf(url);
  const pool = { url, max, connectTimeout };
  switch (name) {
    case "postgres":
      return { database: await postgresDatabase({ ...pool, tenants }), name, isHosted: false };
    case "mysql":
      return { database: await mysqlDatabase(pool), name, isHosted: false };
    case "sqlite":
      return { database: await sqliteDatabase({ file: sqliteFile(url), busyTimeout: 50 }), name, isHosted: false };
  }
}

/**
 * Detects the features and tables of the server. Creates missing tables if the options allow it, and checks all tables.
 */
export async function openStore(
  source: Source,
  options: SqlStoreOptions,
  model: Model,
  resources: readonly ResourceModel[],
  tenants?: TenantSetting,
): Promise<Opened> {
  tenants?.open(resources);
  const { database, name } = source;
  const { autoCreate = name === "sqlite", foreignKeys = true, prepare = true, plan = "auto" } = options;
  let dialect: Dialect | undefined;
  try {
    return await database.session(async (connection) => {
      dialect = await discover(connection, source);
      if (tenants !== undefined) await checkRole(connection, dialect);
      const named = resolveNames(resources, options);
      const links = resolveLinks(named, options);
      const system = systemTables(dialect);
      const names = [...named, ...links.values(), ...system].map(fullName);
      const wantedOf = (tables: Tables): readonly WantedTable[] => {
        const wanted = wantedTables(dialect as Dialect, tables, foreignKeys);
        return tenants === undefined ? wanted : withPolicies(dialect as Dialect, tables, wanted);
      };
      const find = (): Promise<Found> => findTables(connection, dialect as Dialect, names);
      let found = await find();
      if (autoCreate) {
        await alone(connection, dialect, async () => {
          found = await find();
          const wanted = wantedOf(resolveTables(dialect as Dialect, named, links, found, model));
          await createMissing(connection, dialect as Dialect, [...system, ...wanted], found);
        });
        found = await find();
      }
      checkTables(name, named, links, found);
      // Migrations create these tables first, but MySQL reads its catalog table by table.
      if (system.some((table) => !found.has(fullName(table)))) found = await find();
      const tables = resolveTables(dialect, named, links, found, model);
      if (dialect.wordMatch === undefined && tables.resources.some(({ searched }) => searched.size > 0))
        throw new Error("Searches need the store's own connection to SQLite. Pass sqlStore() a `url`.");
      await dialect.indexWords?.(connection, false);
      if (tenants !== undefined) await checkPolicies(connection, dialect, wantedOf(tables));
      const statements = new Statements(dialect, prepare && !source.isHosted);
      const keepsReceipts = found.has(RECEIPTS);
      const keepsChanges = found.has(EVENTS) && found.has(EVENT_LOG);
      const choice = new Choice(dialect.texts === undefined ? "flat" : plan, database, dialect);
      return { database, dialect, tables, statements, choice, tenants, keepsReceipts, keepsChanges };
    });
  } catch (thrown) {
    // The failure may have occurred before the dialect was detected.
    throw toError(dialect ?? { name, faultOf: FAULTS[name] }, undefined, thrown);
  }
}

const FAULTS: Readonly<Record<DialectName, Dialect["faultOf"]>> = {
  postgres: postgresFault,
  mysql: mysqlFault,
  sqlite: sqliteFault,
};

export function discover(connection: Connection, { name, isHosted }: Source): Promise<Dialect> {
  if (name === "postgres") return discoverPostgres(connection, isHosted);
  return name === "mysql" ? discoverMysql(connection, isHosted) : discoverSqlite(connection);
}

export function findTables(connection: Connection, dialect: Dialect, names: readonly string[]): Promise<Found> {
  if (dialect.name === "postgres") return findPostgresTables(connection, dialect, names);
  return dialect.name === "mysql"
    ? findMysqlTables(connection, dialect, names)
    : findSqliteTables(connection, dialect, names);
}
