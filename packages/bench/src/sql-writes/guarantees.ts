/**
 * The steps of the server by hand. Each step includes the ones before it:
 *
 * - `insert`: only the insert. The database checks the author.
 * - `validation`: the schema of the body.
 * - `etag`: a hash of the response.
 * - `event`: a row in the event log, in the same transaction.
 * - `position`: a number for each event, in an order that a reader can follow without missing one. On SQLite, the id is one.
 * - `receipt`: a row by `Idempotency-Key` in the same transaction, so that a retry returns the first result.
 */
export const GUARANTEES = ["insert", "validation", "etag", "event", "position", "receipt"] as const;

export type Guarantee = (typeof GUARANTEES)[number];

export type Guarantees = ReadonlySet<Guarantee>;

export function guaranteesUpTo(last: Guarantee): Guarantees {
  return new Set(GUARANTEES.slice(0, GUARANTEES.indexOf(last) + 1));
}
