import pg from "pg";
import { RECEIPT_LIFETIME, type Receipt, type Writer } from "./writer.ts";

const ONE = `insert into editions (id, title, author_id, year, price, in_stock, isbn, tags)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`;
const EVENT = `insert into bifocal_event (resource, kind, key, after, written) values ('edition', 'created', $9, $10, $11)`;
const RECEIPT = "insert into bifocal_receipt (token, fingerprint, value, expires)";

const MANY = `insert into editions (id, title, author_id, year, price, in_stock, isbn, tags)
  select id, title, "authorId", year, price, "inStock", isbn, tags from json_to_recordset($1::json)
    as r(id uuid, title text, "authorId" uuid, year int, price float8, "inStock" boolean, isbn text, tags json)`;
const EVENTS = `insert into bifocal_event (resource, kind, key, after, written)
  select 'edition', 'created', r -> 'id', r, $2::bigint from json_array_elements($1::json) r`;

/** Each write is one statement, so it needs neither a transaction nor a second round trip. */
export function createPostgresWriter(url: string): Writer {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  return {
    insert: async (rows, { hasEvents, receipt }) => {
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
    },
    receiptOf: async (token) => {
      const text = "select token, fingerprint, value from bifocal_receipt where token = $1 and expires > $2";
      const { rows } = await pool.query<Receipt>({ name: "receipt", text, values: [token, Date.now()] });
      return rows[0];
    },
  };
}
