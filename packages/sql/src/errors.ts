import { BifocalError, type Json, missingReference, type Row, StoreConflict } from "@bifocal/core/store";
import type { Dialect } from "./dialect/dialect.ts";
import type { Fault } from "./dialect/fault.ts";
import { constraintName, uniqueNames } from "./schema/constraint-name.ts";
import { uniqueGroups } from "./schema/living.ts";
import type { Table } from "./table/table.ts";

/** The transaction conflicted with another one. The code that began it retries it. */
export class RetryError extends BifocalError {
  constructor(cause: unknown) {
    super("UNAVAILABLE", "The row is being changed by other requests. Try again.", {
      cause,
      headers: { "Retry-After": "1" },
    });
  }
}

/**
 * Other rows reference the row. The engine looks for them before it deletes a row, so a row it did not find was
 * inserted after that.
 */
export class HeldError extends BifocalError {
  /** Name of the foreign key, if the database reports it. */
  readonly constraint: string | undefined;

  constructor(name: string, constraint: string | undefined, cause: unknown) {
    super("CONFLICT", `This ${name} can't be deleted or renamed while other rows reference it.`, { cause });
    this.constraint = constraint;
  }
}

/** Seconds after which clients should retry when the database is unreachable. */
const RETRY_AFTER = "5";

/**
 * Converts an error of the driver to an error for callers. It names fields but reveals nothing of the database. Errors
 * that aren't faults are returned unchanged.
 */
export function toError(
  dialect: Pick<Dialect, "faultOf" | "name">,
  table: Table | undefined,
  thrown: unknown,
  rows: readonly Row[] = [],
): unknown {
  const fault = dialect.faultOf(thrown);
  if (fault === undefined) return thrown;
  const cause = thrown;
  switch (fault.kind) {
    case "unique":
      return table === undefined ? thrown : new StoreConflict(uniqueFields(dialect, table, fault));
    case "conflict":
      return conflict(cause);
    case "rejected":
      return rows.length > 0
        ? notStorable(undefined, cause)
        : new BifocalError("CONFLICT", "The database doesn't allow this change.", { cause });
    case "reference":
      return unknownReference(table, fault, cause);
    case "referenced":
      return new HeldError(table?.resource.name ?? "row", fault.constraint, cause);
    case "value":
      return notStorable(table && badField(table, fault, rows), cause);
    case "ruled":
      return thrown;
    case "retry":
      return new RetryError(cause);
    case "lost":
      return new BifocalError("UNAVAILABLE", "The database is unavailable. Try again in a few seconds.", {
        cause,
        headers: { "Retry-After": RETRY_AFTER },
      });
    case "canceled":
      return new BifocalError("TIMEOUT", "The database canceled the operation. Request less data, or try again.", {
        cause,
      });
  }
}

/** A conflict whose fields aren't known. */
export function conflict(cause: unknown): BifocalError {
  return new BifocalError("CONFLICT", "This conflicts with an existing row.", { cause });
}

type Constrained = Extract<Fault, { kind: "unique" | "reference" }>;

/** Returns the unique group that a constraint belongs to, or the key if it belongs to no group. */
function uniqueFields(
  dialect: Pick<Dialect, "name">,
  table: Table,
  { constraint, columns }: Constrained,
): readonly string[] {
  const { resource } = table;
  if (columns !== undefined) return fieldsOf(table, columns);
  const groups = uniqueGroups(dialect, table);
  const group = resource.unique[uniqueNames(table.name, groups).indexOf(constraint ?? "")];
  if (group !== undefined) return group;
  // Constraints of existing tables have other names, such as `books_isbn_unique` or `isbn`.
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
  if (table === undefined || relation === undefined)
    return new BifocalError("CONFLICT", "The input references a row that doesn't exist or was deleted.", { cause });
  return new BifocalError("VALIDATION_FAILED", "The input references a row that doesn't exist.", {
    cause,
    issues: [missingReference(table.resource, relation)],
  });
}

function referenceOf(table: Table, constraint: string | undefined) {
  const own = [...table.resource.relations.values()].filter(({ kind }) => kind === "belongsTo");
  return own.find(({ local }) => constraint === constraintName(table.name, columnsOf(table, local), "fkey"));
}

/**
 * Returns the field whose value the database rejected. If the database doesn't name it, this is a field whose column
 * can't hold the value.
 */
function badField(
  table: Table,
  { column, type, isLong = false, isLarge = false }: Extract<Fault, { kind: "value" }>,
  rows: readonly Row[],
): string | undefined {
  if (column !== undefined) return fieldsOf(table, [column])[0];
  if (isLarge) return longestOf([...table.resource.fields.keys()], rows);
  if (isLong) return longestOf(indexedFields(table), rows);
  const written = [...table.columns.values()].filter(({ field }) =>
    rows.some((row) => (row[field.name] ?? null) !== null),
  );
  const tooLarge = written.find(({ field, accepts }) =>
    rows.some((row) => (row[field.name] ?? null) !== null && accepts?.(row[field.name] as Json) === false),
  );
  return (tooLarge ?? written.find(({ declared }) => declared === type))?.field.name;
}

/** Returns the fields that can have an index. */
function indexedFields({ resource }: Table): readonly string[] {
  const locals = [...resource.relations.values()].flatMap(({ local }) => local);
  const keyed = new Set([...resource.key, ...resource.unique.flat(), ...locals]);
  const indexed = [...resource.fields.values()].filter(
    ({ name, filterable, sortable }) => filterable || sortable || keyed.has(name),
  );
  return indexed.map(({ name }) => name);
}

/** Returns the field with the longest text. */
function longestOf(names: readonly string[], rows: readonly Row[]): string | undefined {
  const lengthOf = (name: string): number => Math.max(...rows.map((row) => JSON.stringify(row[name] ?? null).length));
  return names.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0];
}

/** Returns the error for a value that the field's column doesn't accept. */
export function notStorable(field: string | undefined, cause?: unknown): BifocalError {
  const message = "The database rejected the value: it is too long, out of range, or violates a constraint.";
  return new BifocalError("VALIDATION_FAILED", "A value cannot be stored.", {
    cause,
    issues: [{ path: field === undefined ? [] : [field], message, code: "not_storable" }],
  });
}
