import { type Mutant, mutantsOf } from "./mutant.ts";

const FOLDER = "packages/sql/test/row-level-security";
const POLICIES = `${FOLDER}/row-level-security.test.ts`;
const MESSAGES = `${FOLDER}/messages.test.ts`;

/** The policies of PostgreSQL, and the tenant that they compare with. */
export const policies: readonly Mutant[] = mutantsOf(
  "packages/sql/src",
  [POLICIES],
  [
    [
      "the tenant is reset when the transaction ends",
      "dialect/postgres/postgres-query.ts",
      "', $1, true)`",
      "', $1, false)`",
      [MESSAGES],
    ],
    [
      "each write sets its tenant",
      "dialect/postgres/postgres-database.ts",
      "new PostgresQuery(statement, bound, prepared, around, tenants?.of(context));",
      "new PostgresQuery(statement, bound, prepared, around);",
    ],
    [
      "each read sets its tenant",
      "dialect/postgres/postgres-reads.ts",
      "tenant: this.#options.tenants?.of(context),",
      "tenant: undefined,",
    ],
    [
      "reads of two tenants don't share a statement",
      "operations/read-together.ts",
      "const name = tenant === undefined ? shared : `${tenant} ${shared}`;",
      "const name = shared;",
    ],
    [
      "rows of two tenants don't share a statement",
      "operations/insert-together.ts",
      "if (tenant !== undefined) name += JSON.stringify(tenant);",
      "",
      ["packages/sql/test/inserts-together.test.ts"],
    ],
    [
      "a caller without tenant sets none",
      "tenant-setting.ts",
      'if (reach === "none") return "";',
      'if (reach === "none") return ALL_TENANTS;',
    ],
    [
      "all resources have the same tenants",
      "tenant-setting.ts",
      "if (other === undefined) return [];",
      "if (true) return [];",
    ],
    [
      "policies limit reads",
      "schema/print-table.ts",
      "sql`create policy ${sql.id(name)} on ${on} using (${using})`,",
      "sql`create policy ${sql.id(name)} on ${on} for all using (true) with check (${using})`,",
    ],
    [
      "policies limit the rows that are inserted",
      "schema/print-table.ts",
      "sql`create policy ${sql.id(name)} on ${on} using (${using})`,",
      "sql`create policy ${sql.id(name)} on ${on} using (${using}) with check (true)`,",
    ],
    [
      "policies limit updates",
      "schema/print-table.ts",
      "sql`create policy ${sql.id(name)} on ${on} using (${using})`,",
      "sql`create policy ${sql.id(name)} on ${on} using (${using})`, sql`create policy updates on ${on} for update using (true)`,",
    ],
    [
      "policies limit deletions",
      "schema/print-table.ts",
      "sql`create policy ${sql.id(name)} on ${on} using (${using})`,",
      "sql`create policy ${sql.id(name)} on ${on} using (${using})`, sql`create policy deletions on ${on} for delete using (true)`,",
    ],
    [
      "policies limit the owner of a table",
      "schema/print-table.ts",
      "enable row level security, force row level security`,",
      "enable row level security`,",
    ],
    [
      "links have policies",
      "schema/policies.ts",
      "if (ends.length > 0 && !conditions.has(fullName(link)))",
      "if (false)",
    ],
    [
      "the role of the connection is limited",
      "dialect/postgres/check-policies.ts",
      'if (role?.[1] === "false") return;',
      "return;",
    ],
    [
      "each table has its policy before the start",
      "dialect/postgres/check-policies.ts",
      "if (missing.length === 0) return;",
      "return;",
    ],
  ],
);
