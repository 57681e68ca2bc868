import { sql } from "kysely";
import type { Connection } from "../../database.ts";
import type {
  FoundForeignKey,
  FoundIndex,
  FoundSchema,
  FoundTable,
  FoundTableColumn,
} from "../../schema/found-table.ts";
import { tableName } from "../../statement/scope.ts";
import { splitName } from "../../table/naming.ts";
import { POLICY_PREFIX } from "../../tenant-setting.ts";
import { ask } from "../ask.ts";
import type { Dialect, Sql } from "../dialect.ts";
import { quoted } from "./quoted.ts";

type Row = readonly (string | null)[];

/** Reads the parts of the existing tables that a migration plan compares. */
export async function readPostgresSchema(
  connection: Connection,
  dialect: Dialect,
  names: readonly string[],
): Promise<FoundSchema> {
  if (names.length === 0) return new Map();
  const list = sql.join(names.map((name) => sql`(${name}::text, ${quoted(name)}::text)`));
  const asked = sql`(select name, to_regclass(quoted) as oid from (values ${list}) as v(name, quoted))`;
  const rows = (statement: Sql): Promise<readonly Row[]> =>
    ask(connection, dialect, statement) as Promise<readonly Row[]>;
  const columns = await rows(columnsOf(asked));
  const constraints = await rows(constraintsOf(asked));
  const indexes = await rows(indexesOf(asked));
  const policies = await rows(policiesOf(asked));
  const found = new Map<string, FoundTable>();
  for (const full of new Set(columns.map(([table]) => table as string))) {
    const own = (all: readonly Row[]): readonly Row[] => all.filter(([table]) => table === full);
    const name = splitName(full);
    const primary = own(constraints).find(([, , kind]) => kind === "p");
    const held = own(constraints).filter(([, , kind]) => kind === "u");
    const [row] = await ask(connection, dialect, sql`select 1 from ${tableName(name)} limit 1`);
    found.set(full, {
      ...name,
      columns: new Map(own(columns).map((one) => [one[1] as string, toColumn(one)])),
      primaryKey: toList(primary?.[3]),
      primaryKeyName: primary?.[1] ?? undefined,
      uniques: [
        ...held.map((one): FoundIndex => ({ name: one[1] as string, columns: toList(one[3]), isConstraint: true })),
        ...own(indexes)
          .filter(([, , , unique]) => isYes(unique))
          .map(toIndex),
      ],
      indexes: own(indexes)
        .filter(([, , , unique]) => !isYes(unique))
        .map(toIndex),
      foreignKeys: own(constraints)
        .filter(([, , kind]) => kind === "f")
        .map(toForeignKey),
      peculiarities: [],
      companions: [],
      isEmpty: row === undefined,
      policies: own(policies).map((one) => one[1] as string),
    });
  }
  return found;
}

// Each value needs a unique name, because a driver may return rows as objects.

function columnsOf(asked: Sql): Sql {
  return sql`select n.name as c0, a.attname::text as c1, format_type(a.atttypid, a.atttypmod) as c2,
    (not a.attnotnull)::text as c3,
    (a.attidentity <> '' or coalesce(pg_get_expr(d.adbin, d.adrelid), '') like 'nextval(%')::text as c4,
    a.atthasdef::text as c5, t.typtype::text as c6, coalesce(c.collname::text, '') as c7
    from ${asked} n
    join pg_attribute a on a.attrelid = n.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    left join pg_collation c on c.oid = a.attcollation
    order by a.attnum`;
}

function constraintsOf(asked: Sql): Sql {
  const columns = (of: Sql, keys: Sql): Sql =>
    sql`to_json(array(select a.attname::text from unnest(${keys}) with ordinality k(n, i)
      join pg_attribute a on a.attrelid = ${of} and a.attnum = k.n order by k.i))::text`;
  return sql`select n.name as c0, o.conname::text as c1, o.contype::text as c2,
    ${columns(sql`o.conrelid`, sql`o.conkey`)} as c3,
    coalesce((select m.name from ${asked} m where m.oid = o.confrelid limit 1), o.confrelid::regclass::text) as c4,
    ${columns(sql`o.confrelid`, sql`o.confkey`)} as c5, o.confdeltype::text as c6
    from ${asked} n join pg_constraint o on o.conrelid = n.oid and o.contype in ('p', 'u', 'f') order by o.conname`;
}

function indexesOf(asked: Sql): Sql {
  return sql`select n.name as c0, c.relname::text as c1,
    to_json(array(select a.attname::text from unnest(i.indkey::int2[]) with ordinality k(n, o)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.n where k.o <= i.indnkeyatts order by k.o))::text as c2,
    i.indisunique::text as c3, m.amname::text as c4, pg_get_expr(i.indpred, i.indrelid) as c5
    from ${asked} n join pg_index i on i.indrelid = n.oid join pg_class c on c.oid = i.indexrelid
    join pg_am m on m.oid = c.relam
    where not i.indisprimary and i.indexprs is null
    and (i.indpred is null or (i.indisunique and pg_get_expr(i.indpred, i.indrelid) ~ ${LIVING.source}))
    and not exists (select 1 from pg_constraint o where o.conindid = i.indexrelid and o.contype in ('p', 'u', 'x'))
    order by c.relname`;
}

function policiesOf(asked: Sql): Sql {
  return sql`select n.name as c0, p.polname::text as c1
    from ${asked} n join pg_class c on c.oid = n.oid and c.relrowsecurity and c.relforcerowsecurity
    join pg_policy p on p.polrelid = n.oid and starts_with(p.polname::text, ${sql.lit(POLICY_PREFIX)}) order by p.polname`;
}

function toColumn([, name, declared, nullable, counted, hasDefault, kind, collation]: Row): FoundTableColumn {
  const type = declared as string;
  return {
    name: name as string,
    type: type === "text" && collation === "C" ? 'text collate "C"' : kind === "e" ? "enum" : type,
    nullable: isYes(nullable),
    isCounted: isYes(counted),
    isForeign: false,
    hasDefault: isYes(hasDefault),
  };
}

/** The predicate of a unique index that ignores deleted rows. */
const LIVING = /^\(("(?:[^"]|"")+"|[a-z_][a-z0-9_$]*) IS NULL\)$/;

function toIndex([, name, columns, , method, predicate]: Row): FoundIndex {
  const other = method === "btree" ? {} : { method: String(method) };
  const [, column] = LIVING.exec(predicate ?? "") ?? [];
  const living = column === undefined ? {} : { living: unquote(column) };
  return { name: name as string, columns: toList(columns), ...other, ...living, isConstraint: false };
}

function toForeignKey([, name, , columns, target, targetColumns, onDelete]: Row): FoundForeignKey {
  return {
    name: name as string,
    columns: toList(columns),
    target: target as string,
    targetColumns: toList(targetColumns),
    cascades: onDelete === "c",
  };
}

function isYes(text: string | null | undefined): boolean {
  return text === "true" || text === "t";
}

function toList(text: string | null | undefined): readonly string[] {
  return JSON.parse(text ?? "[]") as readonly string[];
}

function unquote(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
}
