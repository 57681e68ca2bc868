import type { Json } from "@bifocal/core/store";
import type { ColumnType } from "../table/column.ts";

/** Values that need no conversion. Drivers return them as text or numbers. */
export const asText: ColumnType = { encode: (value) => value, decode: (raw) => String(raw) };

export const asNumber: ColumnType = { encode: (value) => value, decode: Number };

export const asJson: ColumnType = {
  encode: (value) => JSON.stringify(value),
  // The driver may have parsed it already.
  decode: (raw) => (typeof raw === "string" ? (JSON.parse(raw) as Json) : (raw as Json)),
};

export const asMoment: ColumnType = { encode: (value) => value, decode: momentFrom };

export const asDate: ColumnType = { encode: (value) => value, decode: dateFrom };

const ZONE = /([+-]\d\d)(?::?(\d\d))?(?::\d\d)?$/;

/**
 * Returns the stored form of a datetime from the formats of databases: with a space or `T`, any number of digits, and
 * any offset or none for UTC.
 */
export function momentFrom(raw: unknown): string {
  if (raw instanceof Date) return raw.toISOString();
  const text = String(raw);
  if (text.endsWith("+00")) return utcFrom(text.slice(0, -3));
  const [zone, hours, minutes = "00"] = ZONE.exec(text.slice(10)) ?? [];
  if (zone === undefined) return utcFrom(text.endsWith("Z") ? text.slice(0, -1) : text);
  const local = utcFrom(text.slice(0, -zone.length));
  const time = Date.parse(`${local.slice(0, 23)}${hours}:${minutes}`);
  return withMicros(new Date(time).toISOString().slice(0, 23), local.slice(23, 26));
}

function utcFrom(text: string): string {
  const seconds = text.length > 10 ? `${text.slice(0, 10)}T${text.slice(11, 19)}` : `${text}T00:00:00`;
  const fraction = text.slice(20, 26).padEnd(6, "0");
  return withMicros(`${seconds}.${fraction.slice(0, 3)}`, fraction.slice(3));
}

function withMicros(milliseconds: string, micros: string): string {
  return micros === "000" || !/^\d{3}$/.test(micros) ? `${milliseconds}Z` : `${milliseconds}${micros}Z`;
}

/** Always writes six fractional digits, so that text order is time order. */
export function sixDigits(moment: string): string {
  return moment.length === 24 ? `${moment.slice(0, -1)}000` : moment.slice(0, -1);
}

export function dateFrom(raw: unknown): string {
  if (!(raw instanceof Date)) return String(raw).slice(0, 10);
  // Drivers that return a `Date` create it in local time.
  const [year, month, day] = [raw.getFullYear(), raw.getMonth() + 1, raw.getDate()];
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}
