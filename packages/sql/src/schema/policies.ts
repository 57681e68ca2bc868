import { hash } from "node:crypto";
import { sql } from "kysely";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import { tableName } from "../statement/scope.ts";
import { fullName } from "../table/resolve-tables.ts";
import { columnOf, type Table, type Tables } from "../table/table.ts";
import { ALL_TENANTS, POLICY_PREFIX, TENANT_SETTING } from "../tenant-setting.ts";
import { textOf } from "./create-tables.ts";
import type { WantedTable } from "./wanted.ts";

/** Adds the policies of row-level security to the tables of resources with tenants, and to the links of their rows. */
export function withPolicies(dialect: Dialect, tables: Tables, wanted: readonly WantedTable[]): readonly WantedTable[] {
  const typesOf = new Map(wanted.map((table) => [fullName(table), table]));
  const conditions = new Map<string, Sql>();
  for (const table of tables.resources) {
    const { tenant } = table.resource;
    if (tenant === undefined) continue;
    const { name } = columnOf(table, tenant.field);
    const type = typesOf.get(fullName(table))?.columns.find((column) => column.name === name)?.type ?? "text";
    conditions.set(fullName(table), ownRows(name, type.replace(/ collate .*/, "")));
  }
  for (const table of tables.resources) {
    for (const relation of table.resource.relations.values()) {
      if (relation.through === undefined) continue;
      const link = tables.link(relation);
      const ends = [
        { columns: link.from, table, fields: relation.local },
        { columns: link.to, table: tables.of(relation.target), fields: relation.foreign },
      ].filter((end) => end.table.resource.tenant !== undefined);
      if (ends.length > 0 && !conditions.has(fullName(link)))
        conditions.set(
          fullName(link),
          sql.join(
            ends.map((end) => linkedRow(link, end)),
            sql` and `,
          ),
        );
    }
  }
  return wanted.map((table) => {
    const using = conditions.get(fullName(table));
    return using === undefined ? table : { ...table, policy: { name: policyName(dialect, using), using } };
  });
}

/** The setting is absent or empty unless a statement has a tenant, so that no row matches. */
function ownRows(column: string, type: string): Sql {
  const setting = sql`current_setting(${sql.lit(TENANT_SETTING)}, true)`;
  const tenant = sql`nullif(substr(${setting}, 2), '')::${sql.raw(type)}`;
  return sql`${setting} = ${sql.lit(ALL_TENANTS)} or ${sql.id(column)} = ${tenant}`;
}

interface LinkEnd {
  readonly columns: readonly string[];
  readonly table: Table;
  readonly fields: readonly string[];
}

/** The policy of the linked table limits the subquery. */
function linkedRow(link: { readonly schema: string | undefined; readonly name: string }, end: LinkEnd): Sql {
  const equal = end.columns.map((column, at) => {
    const target = columnOf(end.table, end.fields[at] as string);
    return sql`linked.${sql.id(target.name)} = ${tableName(link)}.${sql.id(column)}`;
  });
  return sql`exists (select 1 from ${tableName(end.table)} linked where ${sql.join(equal, sql` and `)})`;
}

function policyName(dialect: Dialect, using: Sql): string {
  return POLICY_PREFIX + hash("sha1", textOf(dialect, using), "hex").slice(0, 8);
}
