import type { Json, Receipt, StoreContext } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Connection } from "./database.ts";
import type { Opened } from "./opened.ts";
import { RetryError, toError } from "./errors.ts";
import { noted, run } from "./run.ts";
import { RECEIPTS } from "./schema/system-tables.ts";
import { StatementShape } from "./statement/statement-shape.ts";
import { slot } from "./statement/slot.ts";

const same = (value: Json): Json => value;

export async function readReceipt(
  { dialect, statements }: Opened,
  connection: Connection,
  token: string,
  context: StoreContext,
): Promise<Receipt | undefined> {
  const shape = new StatementShape(dialect, "receipt").value(token).value(Date.now());
  const prepared = statements.get(shape, () => ({
    statement: sql`select fingerprint as c0, value as c1, expires as c2 from ${sql.id(RECEIPTS)} where token = ${slot(0, same)} and expires > ${slot(1, same)}`,
    read: undefined,
  }));
  const { rows } = await run(dialect, connection, prepared, shape, { table: undefined, context });
  const [row] = rows;
  if (row === undefined) return undefined;
  const [fingerprint, value, expires] = row;
  return {
    token,
    fingerprint: String(fingerprint),
    value: JSON.parse(String(value)) as Json,
    expires: Number(expires),
  };
}

/**
 * If two transactions write the same token, the second waits for the first, fails with a duplicate token and is
 * retried.
 */
export async function writeReceipt(
  { dialect, statements }: Opened,
  connection: Connection,
  receipt: Receipt,
  context: StoreContext,
): Promise<void> {
  const { token, fingerprint, value, expires } = receipt;
  const old = new StatementShape(dialect, "receipt forget").value(token).value(Date.now());
  const forget = statements.get(old, () => ({
    statement: sql`delete from ${sql.id(RECEIPTS)} where token = ${slot(0, same)} and expires <= ${slot(1, same)}`,
    read: undefined,
  }));
  await run(dialect, connection, forget, old, { table: undefined, context });
  const shape = new StatementShape(dialect, "receipt").note(" write");
  shape.value(token).value(fingerprint).value(JSON.stringify(value)).value(expires);
  const values = sql.join([0, 1, 2, 3].map((index) => slot(index, same)));
  const write = statements.get(shape, () => ({
    statement: sql`insert into ${sql.id(RECEIPTS)} (token, fingerprint, value, expires) values (${values})`,
    read: undefined,
  }));
  try {
    await connection.query(write.statement, shape.values, context);
  } catch (thrown) {
    const isTaken = dialect.faultOf(thrown)?.kind === "unique";
    throw noted(connection, isTaken ? new RetryError(thrown) : toError(dialect, undefined, thrown));
  }
}

export async function pruneReceipts({ dialect, statements, database }: Opened): Promise<void> {
  const shape = new StatementShape(dialect, "receipts prune").value(Date.now());
  const prepared = statements.get(shape, () => ({
    statement: sql`delete from ${sql.id(RECEIPTS)} where expires <= ${slot(0, same)}`,
    read: undefined,
  }));
  await database.query(prepared.statement, shape.values);
}
