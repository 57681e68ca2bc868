import type { RelationModel } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Sql } from "../dialect/dialect.ts";
import { type Build, type Scope, tableAs, tableName } from "./scope.ts";

/** Returns the link table of a relation, joined with its target but without the condition, and its columns. */
export function linksTo(build: Build, relation: RelationModel, target: Scope) {
  const link = build.tables.link(relation);
  const alias = build.alias();
  const links = sql`${tableName(link)} as ${sql.id(alias)} inner join ${tableAs(target)}`;
  const ids = (columns: readonly string[]): readonly Sql[] => columns.map((column) => sql.id(alias, column));
  return { from: ids(link.from), to: ids(link.to), links };
}
