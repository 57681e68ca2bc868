const MOMENT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d:?\d\d)?$/;

/** Matches texts in stored form with milliseconds, which are the most common. */
const STORED = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * Returns the stored form of a datetime: in UTC with milliseconds, as `toISOString` writes it, or with microseconds if
 * it has any. A text without an offset is read as UTC. Returns `undefined` for invalid texts and those with a higher
 * precision.
 */
export function canonicalMoment(text: string): string | undefined {
  if (STORED.test(text)) return text;
  const [, minutes, seconds = "00", fraction = "", offset = "Z"] = MOMENT.exec(text) ?? [];
  if (minutes === undefined || /[1-9]/.test(fraction.slice(6))) return undefined;
  const digits = fraction.slice(0, 6).padEnd(6, "0");
  const time = Date.parse(`${minutes}:${seconds}.${digits.slice(0, 3)}${offset}`);
  // The range that databases and a four-digit year support: years 1 to 9999.
  if (!(time >= FIRST && time <= LAST)) return undefined;
  const stored = new Date(time).toISOString();
  const micros = digits.slice(3);
  return micros === "000" ? stored : `${stored.slice(0, -1)}${micros}Z`;
}

const FIRST = Date.parse("0001-01-01T00:00:00.000Z");
const LAST = Date.parse("9999-12-31T23:59:59.999Z");

/** Compares two datetimes in stored form. */
export function compareMoments(a: string, b: string): number {
  return Date.parse(a) - Date.parse(b) || micros(a) - micros(b) || 0;
}

function micros(text: string): number {
  return text.length === 27 ? Number(text.slice(23, 26)) : 0;
}
