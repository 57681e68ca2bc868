import type { Json } from "@bifocal/core/store";
import { sql } from "kysely";
import { type Column, isJson, isText } from "../../table/column.ts";
import { fullName } from "../../table/resolve-tables.ts";
import type { Table } from "../../table/table.ts";
import type { KeepsValue, Sql } from "../dialect.ts";
import { quoted } from "./quoted.ts";

const matches =
  (pattern: RegExp): KeepsValue =>
  (value) =>
    typeof value === "string" && pattern.test(value);

/** Positions of the dashes in the text that PostgreSQL returns. It accepts others. */
const DASHES = [8, 13, 18, 23];

const isBigint = matches(/^(?:0|-?[1-9]\d*)$/);
const isDate = matches(/^\d{4}-\d\d-\d\d$/);
/** PostgreSQL would add hour 24 and second 60 to the parts before them, and rejects the other impossible ones. */
const isMoment = matches(/^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/);

/** PostgreSQL rejects a text that isn't hexadecimal. */
function isUuid(value: Json): boolean {
  if (typeof value !== "string" || value.length !== 36) return false;
  return DASHES.every((at) => value.charCodeAt(at) === 45) && value === value.toLowerCase();
}

/** Returns how a column keeps its values unchanged. Undefined if its type may change them. */
export function keepsValues({ field, declared }: Column): KeepsValue | undefined {
  const { type, generated, codec } = field;
  switch (type.kind) {
    case "integer":
      return /^(?:smallint|integer|bigint)$/.test(declared) ? Number.isSafeInteger : undefined;
    case "number":
      return declared === "double precision" ? Number.isFinite : undefined;
    case "boolean":
      return declared === "boolean" ? (value) => typeof value === "boolean" : undefined;
    case "bigint":
      return declared === "bigint" || declared === "numeric" ? isBigint : undefined;
    case "decimal":
      return declared.startsWith("numeric(") && declared.endsWith(`,${type.scale})`) ? hasScale(type.scale) : undefined;
    case "uuid":
      return declared === "uuid" ? isUuid : undefined;
    case "date":
      return declared === "date" ? isDate : undefined;
    case "datetime":
      return declared === "timestamp with time zone" ? isMoment : undefined;
    default:
      if (isText(type)) return keepsText(declared);
      // A generator or codec may return a value that JSON can't represent. `jsonb` sorts the members of objects.
      return isJson(type) && declared === "json" && generated === undefined && codec === undefined
        ? () => true
        : undefined;
  }
}

/** PostgreSQL pads a decimal with zeros, or rounds it. */
function hasScale(scale: number): KeepsValue {
  const fraction = scale === 0 ? "" : `\\.\\d{${scale}}`;
  const pattern = new RegExp(`^-?(?:0|[1-9]\\d*)${fraction}$`);
  return (value) => typeof value === "string" && pattern.test(value) && !/^-[0.]*$/.test(value);
}

function keepsText(declared: string): KeepsValue | undefined {
  if (/^text\b/.test(declared)) return isWellFormed;
  // Spaces beyond its length are cut off.
  return declared.startsWith("character varying") ? (value) => isWellFormed(value) && !value.endsWith(" ") : undefined;
}

function isWellFormed(value: Json): value is string {
  return typeof value === "string" && value.isWellFormed();
}

/**
 * Returns the condition that an insert may change its values: the table has rules or a trigger before each row, is a view,
 * has partitions with triggers of their own, or belongs to another server. Each statement of a transaction that is "read
 * committed" locks its tables before it reads the catalog, so the condition holds until its end.
 */
export function mayChange(table: Pick<Table, "schema" | "name">): Sql {
  const id = sql`${sql.lit(quoted(fullName(table)))}::regclass`;
  // The bits for rows, "before" and inserts (PostgreSQL's `pg_trigger.h`).
  const triggers = sql`exists (select 1 from pg_catalog.pg_trigger t where t.tgrelid = c.oid and t.tgtype & 7 = 7)`;
  const isolation = sql`current_setting('transaction_isolation') <> 'read committed'`;
  const changing = sql`c.relkind <> 'r' or c.relhasrules or ${triggers} or ${isolation}`;
  return sql`(select ${changing} from pg_catalog.pg_class c where c.oid = ${id})`;
}
