import type { LinkCommand, RelationModel } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Dialect } from "../dialect/dialect.ts";
import { columnOf, type Tables } from "../table/table.ts";
import { addKey } from "./read-keys.ts";
import { allEqual } from "./row-values.ts";
import type { StatementPlan } from "./statement-plan.ts";
import { createBuild, tableName } from "./scope.ts";
import { StatementShape } from "./statement-shape.ts";

export function linkShape(
  dialect: Dialect,
  name: "link" | "unlink",
  { relation, from, to }: LinkCommand,
): StatementShape {
  // The inverse of a relation can have the same name and, within one resource, the same source. `through.from`
  // distinguishes them.
  const side = `${relation.source}.${relation.name} ${relation.through?.from.join() ?? ""}`;
  return addKey(addKey(new StatementShape(dialect, `${name} ${side}`), from), to);
}

/** Inserts a link. Affects no row if the link exists. */
export function planLink(dialect: Dialect, tables: Tables, relation: RelationModel): StatementPlan<undefined> {
  const { link, columns, values } = sides(dialect, tables, relation);
  const pair = sql.join(values);
  const there = sql`(${sql.join(columns)}) = (${pair})`;
  const given =
    dialect.countsFound === true
      ? sql`select ${pair} from dual where not exists (select 1 from ${tableName(link)} where ${there})`
      : sql`values (${pair})`;
  const into = sql`insert into ${tableName(link)} (${sql.join(columns)}) ${given}`;
  return { statement: sql`${into}${dialect.unlessThere(link.from[0] as string)}`, read: undefined };
}

export function planUnlink(dialect: Dialect, tables: Tables, relation: RelationModel): StatementPlan<undefined> {
  const { link, columns, values } = sides(dialect, tables, relation);
  return { statement: sql`delete from ${tableName(link)} where ${allEqual(columns, values)}`, read: undefined };
}

function sides(dialect: Dialect, tables: Tables, relation: RelationModel) {
  const { slots } = createBuild(dialect, tables);
  const [source, target] = [tables.of(relation.source), tables.of(relation.target)];
  const fields = [
    ...relation.local.map((name) => columnOf(source, name)),
    ...relation.foreign.map((name) => columnOf(target, name)),
  ];
  const link = tables.link(relation);
  return {
    link,
    columns: [...link.from, ...link.to].map((name) => sql.id(name)),
    values: fields.map((column) => dialect.operand(column, slots.next())),
  };
}
