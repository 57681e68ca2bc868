import pg from "pg";
import type { EditionRow } from "../editions.ts";
import { type Extras, RECEIPT_LIFETIME, type Receipt, type Writer } from "./writer.ts";

const ONE = `insert into editions (id, title, author_id, year, price, in_stock, isbn, tags)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`;
const EVENT = `insert into bifocal_event (resource, kind, key, after, written) values ('edition', 'created', $9, $10, $11)`;
const RECEIPT = "insert into bifocal_receipt (token, fingerprint, value, expires)";

const MANY = `insert into editions (id, title, author_id, year, price, in_stock, isbn, tags)
  select id, title, "authorId", year, price, "inStock", isbn, tags from json_to_recordset($1::json)
    as r(id uuid, title text, "authorId" uuid, year int, price float8, "inStock" boolean, isbn text, tags json)`;
const EVENTS = `insert into bifocal_event (resource, kind, key, after, written)
  select 'edition', 'created', r -> 'id', r, $2::bigint from json_array_elements($1::json) r`;

/** Rows are numbered under a lock, so that a later commit always gets a later position. */
const BEGIN_LOG = "insert into bifocal_event_log (id, name, place, pruned) values (1, '', 0, 0) on conflict do nothing";
const LOCK = "begin; select 1 from bifocal_event_log where id = 1 for update";
const PLACE = `with found as materialized (
    select id, row_number() over (order by id) as n
    from (select id from bifocal_event where place is null order by place, id limit 500) w
  ), placed as (
    update bifocal_event e set place = l.place + found.n from found, bifocal_event_log l
    where e.id = found.id and l.id = 1
  )
  update bifocal_event_log set place = place + (select count(*) from found)
  where id = 1 and exists (select 1 from found) returning (select count(*) from found) = 500 as "isFull"`;

/** Numbers all events of a second together, as often as Bifocal without subscribers. */
function createNumbering(pool: pg.Pool): () => void {
  let timer: NodeJS.Timeout | undefined;
  async function numberAll(): Promise<void> {
    const client = await pool.connect();
    await client.query(BEGIN_LOG);
    for (let isFull = true; isFull; ) {
      await client.query(LOCK);
      const { rows } = await client.query<{ isFull: boolean }>(PLACE);
      await client.query("commit");
      isFull = rows[0]?.isFull === true;
    }
    client.release();
    timer = undefined;
  }
  return () => {
    timer ??= setTimeout(() => void numberAll(), 1_000);
  };
}

/** Each write is one statement, so it needs neither a transaction nor a second round trip. */
export function createPostgresWriter(url: string): Writer {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  // A benchmark deletes the database before the server has ended.
  pool.on("error", () => {});
  const number = createNumbering(pool);
  async function insert(rows: readonly EditionRow[], { hasEvents, receipt }: Extras): Promise<void> {
    const [row] = rows;
    const written = Date.now();
    const kept =
      receipt === undefined ? [] : [receipt.token, receipt.fingerprint, receipt.value, written + RECEIPT_LIFETIME];
    const name = `${rows.length === 1 ? "one" : "many"} ${hasEvents} ${kept.length}`;
    if (rows.length === 1 && row !== undefined) {
      const { id, title, authorId, year, price, inStock, isbn, tags } = row;
      const values: unknown[] = [id, title, authorId, year, price, inStock, isbn, JSON.stringify(tags)];
      if (!hasEvents) return void (await pool.query({ name, text: ONE, values }));
      const withReceipt = kept.length === 0 ? "" : `, receipt as (${RECEIPT} values ($12, $13, $14, $15))`;
      const text = `with edition as (${ONE})${withReceipt} ${EVENT}`;
      values.push(JSON.stringify(id), JSON.stringify(row), written, ...kept);
      return void (await pool.query({ name, text, values }));
    }
    if (!hasEvents) return void (await pool.query({ name, text: MANY, values: [JSON.stringify(rows)] }));
    const withReceipt = kept.length === 0 ? "" : `, receipt as (${RECEIPT} values ($3, $4, $5, $6))`;
    const text = `with edition as (${MANY})${withReceipt} ${EVENTS}`;
    await pool.query({ name, text, values: [JSON.stringify(rows), written, ...kept] });
  }
  return {
    insert: async (rows, extras) => {
      await insert(rows, extras);
      if (extras.hasPositions) number();
    },
    receiptOf: async (token) => {
      const text = "select token, fingerprint, value from bifocal_receipt where token = $1 and expires > $2";
      const { rows } = await pool.query<Receipt>({ name: "receipt", text, values: [token, Date.now()] });
      return rows[0];
    },
  };
}
