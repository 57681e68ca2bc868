import type { LinkCommand, RelationModel } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Dialect } from "../dialect/dialect.ts";
import { columnOf, type Tables } from "../table/table.ts";
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
  const side = `${relation.source}.${relation.name} ${relation.through?.from ?? ""}`;
  return new StatementShape(dialect, `${name} ${side}`).value(from).value(to);
}

/** Inserts a link. Affects no row if the link exists. */
export function planLink(dialect: Dialect, tables: Tables, relation: RelationModel): StatementPlan<undefined> {
  const { link, values } = sides(dialect, tables, relation);
  const pair = sql.join(values);
  const there = sql`(${sql.id(link.from)}, ${sql.id(link.to)}) = (${pair})`;
  const given =
    dialect.countsFound === true
      ? sql`select ${pair} from dual where not exists (select 1 from ${tableName(link)} where ${there})`
      : sql`values (${pair})`;
  const into = sql`insert into ${tableName(link)} (${sql.id(link.from)}, ${sql.id(link.to)}) ${given}`;
  return { statement: sql`${into}${dialect.unlessThere(link.from)}`, read: undefined };
}

export function planUnlink(dialect: Dialect, tables: Tables, relation: RelationModel): StatementPlan<undefined> {
  const { link, values } = sides(dialect, tables, relation);
  const [from, to] = values;
  return {
    statement: sql`delete from ${tableName(link)} where ${sql.id(link.from)} = ${from} and ${sql.id(link.to)} = ${to}`,
    read: undefined,
  };
}

function sides(dialect: Dialect, tables: Tables, relation: RelationModel) {
  const { slots } = createBuild(dialect, tables);
  const columns = [
    columnOf(tables.of(relation.source), relation.local),
    columnOf(tables.of(relation.target), relation.foreign),
  ];
  return { link: tables.link(relation), values: columns.map((column) => dialect.operand(column, slots.next())) };
}
