import { BifocalError, type Json, type Row, StoreConflict } from "@bifocal/core/store";
import type { Dialect } from "./dialect/dialect.ts";
import type { Fault } from "./dialect/fault.ts";
import { constraintName, uniqueNames } from "./schema/constraint-name.ts";
import type { Table } from "./table/table.ts";

/** Another transaction was in the way. Whoever began this one begins it again. */
export class RetryError extends BifocalError {
  constructor(cause: unknown) {
    super("UNAVAILABLE", "The row is being changed by other requests. Try again.", {
      cause,
      headers: { "Retry-After": "1" },
    });
  }
}

/** Others point at a row. The engine looks for these first, so one that it did not see came after it had looked. */
export class HeldError extends BifocalError {
  /** The foreign key, where the database names it. */
  readonly constraint: string | undefined;

  constructor(name: string, constraint: string | undefined, cause: unknown) {
    super("CONFLICT", `This ${name} can't be deleted or renamed while other rows reference it.`, { cause });
    this.constraint = constraint;
  }
}

/** Seconds after which a lost database may be there again. */
const RETRY_AFTER = "5";

/** What callers may know of a failure: names of fields, and nothing of the database. Anything else stays what it is. */
export function toError(
  { faultOf }: Pick<Dialect, "faultOf">,
  table: Table | undefined,
  thrown: unknown,
  rows: readonly Row[] = [],
): unknown {
  const fault = faultOf(thrown);
  if (fault === undefined) return thrown;
  const cause = thrown;
  switch (fault.kind) {
    case "unique":
      return table === undefined ? thrown : new StoreConflict(uniqueFields(table, fault));
    case "reference":
      return unknownReference(table, fault, cause);
    case "referenced":
      return new HeldError(table?.resource.name ?? "row", fault.constraint, cause);
    case "value":
      return notStorable(table && badField(table, fault, rows), cause);
    case "retry":
      return new RetryError(cause);
    case "lost":
      return new BifocalError("UNAVAILABLE", "The database is unavailable. Try again in a few seconds.", {
        cause,
        headers: { "Retry-After": RETRY_AFTER },
      });
    case "cancelled":
      return new BifocalError("TIMEOUT", "The database canceled the operation. Request less data, or try again.", {
        cause,
      });
  }
}

type Constrained = Extract<Fault, { kind: "unique" | "reference" }>;

/** The unique group that a constraint is about; the key, where it is none of them. */
function uniqueFields(table: Table, { constraint, columns }: Constrained): readonly string[] {
  const { resource } = table;
  if (columns !== undefined) return fieldsOf(table, columns);
  const groups = resource.unique.map((fields) => columnsOf(table, fields));
  const group = resource.unique[uniqueNames(table.name, groups).indexOf(constraint ?? "")];
  if (group !== undefined) return group;
  // Of a table that was there before, whose constraints have names of their own: `books_isbn_unique`, `isbn`.
  const named = resource.unique.filter((fields) =>
    columnsOf(table, fields).every((column) => constraint?.includes(column)),
  );
  const isKey = constraint === undefined || constraint === "PRIMARY" || constraint.endsWith("_pkey");
  return isKey ? resource.key : (named.sort((a, b) => b.length - a.length)[0] ?? resource.key);
}

function columnsOf(table: Table, fields: readonly string[]): readonly string[] {
  return fields.map((field) => table.columns.get(field)?.name ?? field);
}

function fieldsOf(table: Table, columns: readonly string[]): readonly string[] {
  const byColumn = new Map([...table.columns.values()].map(({ name, field }) => [name, field.name]));
  return columns.map((column) => byColumn.get(column) ?? column).filter((name) => table.resource.fields.has(name));
}

function unknownReference(table: Table | undefined, { constraint }: Constrained, cause: unknown): BifocalError {
  const relation = table && referenceOf(table, constraint);
  if (relation === undefined)
    return new BifocalError("CONFLICT", "The input references a row that doesn't exist or was deleted.", { cause });
  const message = `There is no ${relation.target} with this id.`;
  return new BifocalError("VALIDATION_FAILED", "The input references a row that doesn't exist.", {
    cause,
    issues: [{ path: [relation.local], message, code: "unknown_reference" }],
  });
}

function referenceOf(table: Table, constraint: string | undefined) {
  const own = [...table.resource.relations.values()].filter(({ kind }) => kind === "belongsTo");
  return own.find(({ local }) => constraint === constraintName(table.name, columnsOf(table, [local]), "fkey"));
}

/** The field that a database complains of. Not all say which; then it is one whose column cannot hold what was written. */
function badField(
  table: Table,
  { column, type, isLong = false }: Extract<Fault, { kind: "value" }>,
  rows: readonly Row[],
): string | undefined {
  if (column !== undefined) return fieldsOf(table, [column])[0];
  if (isLong) return longestIndexed(table, rows);
  const written = [...table.columns.values()].filter(({ field }) =>
    rows.some((row) => (row[field.name] ?? null) !== null),
  );
  const tooLarge = written.find(({ field, accepts }) =>
    rows.some((row) => (row[field.name] ?? null) !== null && accepts?.(row[field.name] as Json) === false),
  );
  return (tooLarge ?? written.find(({ declared }) => declared === type))?.field.name;
}

/** Of the fields that an index may have, the one with the longest text. */
function longestIndexed({ resource }: Table, rows: readonly Row[]): string | undefined {
  const locals = [...resource.relations.values()].map(({ local }) => local);
  const keyed = new Set([...resource.key, ...resource.unique.flat(), ...locals]);
  const indexed = [...resource.fields.values()].filter(
    ({ name, filterable, sortable }) => filterable || sortable || keyed.has(name),
  );
  const lengthOf = (name: string): number => Math.max(...rows.map((row) => JSON.stringify(row[name] ?? null).length));
  return indexed.map(({ name }) => name).sort((a, b) => lengthOf(b) - lengthOf(a))[0];
}

/** A value that the column of a field does not take. */
export function notStorable(field: string | undefined, cause?: unknown): BifocalError {
  const message = "The database rejected the value: it is too long, out of range, or violates a constraint.";
  return new BifocalError("VALIDATION_FAILED", "A value cannot be stored.", {
    cause,
    issues: [{ path: field === undefined ? [] : [field], message, code: "not_storable" }],
  });
}
