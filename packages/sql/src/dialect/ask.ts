import type { StoreContext } from "@bifocal/core/store";
import type { Connection } from "../database.ts";
import type { Dialect, Sql } from "./dialect.ts";

/** Runs a statement that isn't kept prepared and returns its rows. */
export async function ask(
  connection: Connection,
  { compiler }: Pick<Dialect, "compiler">,
  statement: Sql,
  context?: StoreContext,
): Promise<readonly (readonly unknown[])[]> {
  const { sql, parameters } = statement.compile(compiler);
  const { rows } = await connection.query({ sql, parameters, name: undefined }, [], context);
  return rows;
}
