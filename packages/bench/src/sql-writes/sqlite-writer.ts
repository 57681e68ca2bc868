import { DatabaseSync } from "node:sqlite";
import { RECEIPT_LIFETIME, type Receipt, type Writer } from "./writer.ts";

/** Prepared statements in one transaction per write, which the disk has before the response. */
export function createSqliteWriter(file: string): Writer {
  const db = new DatabaseSync(file);
  db.exec("pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on");
  const edition = db.prepare(
    "insert into editions (id, title, author_id, year, price, in_stock, isbn, tags) values (?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const event = db.prepare(
    "insert into bifocal_event (resource, kind, key, after, written) values ('edition', 'created', ?, ?, ?)",
  );
  const receipts = db.prepare("insert into bifocal_receipt (token, fingerprint, value, expires) values (?, ?, ?, ?)");
  const byToken = db.prepare("select token, fingerprint, value from bifocal_receipt where token = ? and expires > ?");
  return {
    insert: (rows, { hasEvents, receipt }) => {
      const written = Date.now();
      db.exec("begin immediate");
      try {
        for (const row of rows) {
          const { id, title, authorId, year, price, inStock, isbn, tags } = row;
          edition.run(id, title, authorId, year, price, inStock ? 1 : 0, isbn, JSON.stringify(tags));
          if (hasEvents) event.run(JSON.stringify(id), JSON.stringify(row), written);
        }
        if (receipt !== undefined)
          receipts.run(receipt.token, receipt.fingerprint, receipt.value, written + RECEIPT_LIFETIME);
        db.exec("commit");
      } catch (thrown) {
        db.exec("rollback");
        throw thrown;
      }
    },
    receiptOf: (token) => byToken.get(token, Date.now()) as Receipt | undefined,
  };
}
