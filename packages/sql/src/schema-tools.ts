import type { ApplyOptions, SchemaPlan, SchemaTools, SchemaUse } from "@bifocal/core/store";
import type { Connection } from "./database.ts";
import type { Dialect } from "./dialect/dialect.ts";
import { applyMigrations } from "./migrations/apply-migrations.ts";
import { type Migration, readMigrations, writeMigration } from "./migrations/migration-files.ts";
import { MigrationError } from "./migrations/migration-error.ts";
import { tablesMadeBy, writePlan } from "./migrations/migration-text.ts";
import { changedMigrations, readRecorded, type AppliedMigration, waitingMigrations } from "./migrations/recorded.ts";
import { discover, type Source } from "./opened.ts";
import type { SqlStoreOptions } from "./options.ts";
import { compareSchema, TYPE_RULES } from "./schema/compare-schema.ts";
import { planSteps } from "./schema/plan-steps.ts";
import { systemTables } from "./schema/system-tables.ts";
import { withPolicies } from "./schema/policies.ts";
import { wantedTables } from "./schema/wanted.ts";
import { resolveLinks, resolveNames, resolveTables } from "./table/resolve-tables.ts";
import { ALL_TENANTS, TENANT_SETTING } from "./tenant-setting.ts";

interface Session {
  readonly connection: Connection;
  readonly dialect: Dialect;
  readonly files: readonly Migration[];
}

/** Compares the tables of one store with the model and migrates them. */
export class SqlSchemaTools implements SchemaTools {
  readonly #options: SqlStoreOptions;
  readonly #source: () => Promise<Source>;

  constructor(options: SqlStoreOptions, source: () => Promise<Source>) {
    this.#options = options;
    this.#source = source;
  }

  plan(use: SchemaUse, folder: string): Promise<SchemaPlan> {
    return this.#session(folder, async (session) => {
      const recorded = await readRecorded(session.connection, session.dialect);
      const waiting = waitingMigrations(session.files, recorded);
      if (waiting.length > 0) {
        const names = waiting.map(({ name }) => name).join(", ");
        throw new MigrationError(
          `Apply the pending migrations first, so that their changes are not planned again: ${names}.`,
        );
      }
      return this.#compare(session, use);
    });
  }

  write(folder: string, plan: SchemaPlan, name?: string): Promise<string> {
    return writeMigration(folder, plan.text, name ?? plan.name);
  }

  apply(folder: string, options: ApplyOptions = {}): Promise<readonly string[]> {
    return this.#session(folder, ({ connection, dialect, files }) =>
      applyMigrations(connection, dialect, files, options),
    );
  }

  check(use: SchemaUse, folder: string): Promise<readonly string[]> {
    return this.#session(folder, async (session) => {
      const recorded = await readRecorded(session.connection, session.dialect);
      const { steps } = await this.#compare(session, use);
      return [...checkFiles(session.files, recorded), ...steps.map(({ title }) => `schema drift: ${title}`)];
    });
  }

  async #compare({ connection, dialect, files }: Session, { model, resources }: SchemaUse): Promise<SchemaPlan> {
    const named = resolveNames(resources, this.#options);
    const tables = resolveTables(dialect, named, resolveLinks(named, this.#options), new Map(), model);
    const { foreignKeys = true } = this.#options;
    // A store that opens between two statements of MySQL must not find its tables without a change log.
    const own = wantedTables(dialect, tables, foreignKeys);
    const limited = this.#options.rowLevelSecurity === true ? withPolicies(dialect, tables, own) : own;
    const wanted = [...systemTables(dialect), ...limited];
    const made = tablesMadeBy(files.map(({ text }) => text));
    const comparison = await compareSchema(connection, dialect, wanted, made);
    return writePlan(dialect.name, planSteps(dialect, TYPE_RULES[dialect.name], comparison));
  }

  async #session<T>(folder: string, work: (session: Session) => Promise<T>): Promise<T> {
    const files = await readMigrations(folder);
    const source = await this.#source();
    return source.database.session(async (connection) => {
      const dialect = await discover(connection, source);
      if (dialect.name !== "postgres") return work({ connection, dialect, files });
      // Policies also limit the owner of a table, whose migrations change the rows of all tenants.
      await connection.run(`set ${TENANT_SETTING} = '${ALL_TENANTS}'`);
      try {
        return await work({ connection, dialect, files });
      } finally {
        await connection.run(`reset ${TENANT_SETTING}`);
      }
    });
  }
}

function checkFiles(files: readonly Migration[], recorded: readonly AppliedMigration[]): readonly string[] {
  const changed = changedMigrations(files, recorded);
  const known = new Set(recorded.map(({ name }) => name));
  const there = new Set(files.map(({ name }) => name));
  return [
    ...changed,
    ...files.filter(({ name }) => !known.has(name)).map(({ name }) => `${name} is pending.`),
    ...recorded
      .filter(({ name }) => !there.has(name))
      .map(({ name }) => `${name} was applied, but its file is missing.`),
  ];
}
