import { sql } from "kysely";
import type { Connection } from "../../database.ts";
import type { WantedTable } from "../../schema/wanted.ts";
import { fullName } from "../../table/resolve-tables.ts";
import { ask } from "../ask.ts";
import type { Dialect } from "../dialect.ts";
import { quoted } from "./quoted.ts";

/** Throws if PostgreSQL ignores policies for the role of the connection. */
export async function checkRole(connection: Connection, dialect: Dialect): Promise<void> {
  const [role] = await ask(
    connection,
    dialect,
    sql`select rolname::text as c0, (rolsuper or rolbypassrls)::text as c1 from pg_roles where rolname = current_user`,
  );
  if (role?.[1] === "false") return;
  throw new Error(
    `\`rowLevelSecurity\` has no effect for the role '${String(role?.[0])}', because it is a superuser or has BYPASSRLS. Connect as a role without these rights.`,
  );
}

/** Throws if a table doesn't have its policy. */
export async function checkPolicies(
  connection: Connection,
  dialect: Dialect,
  wanted: readonly WantedTable[],
): Promise<void> {
  const missing: string[] = [];
  for (const table of wanted) {
    if (table.policy === undefined) continue;
    const name = fullName(table);
    const rows = await ask(
      connection,
      dialect,
      sql`select 1 from pg_class c join pg_policy p on p.polrelid = c.oid
        where c.oid = to_regclass(${sql.lit(quoted(name))}) and c.relrowsecurity and c.relforcerowsecurity
        and p.polname = ${sql.lit(table.policy.name)}`,
    );
    if (rows.length === 0) missing.push(name);
  }
  if (missing.length === 0) return;
  throw new Error(
    `Tables without the policy of \`rowLevelSecurity\`: ${missing.join(", ")}. Run \`bifocal db plan\` and \`bifocal db apply\`.`,
  );
}
