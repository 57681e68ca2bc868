import { UsageError } from "./command.ts";

const UNITS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** Parses `90d`, `12h`, `30m` or `45s` into seconds. */
export function readSeconds(option: string, text: string): number {
  const seconds = parseSeconds(text);
  if (seconds === undefined)
    throw new UsageError(`Invalid duration in --${option} '${text}'. Use 90d, 12h, 30m or 45s.`);
  return seconds;
}

function parseSeconds(text: string): number | undefined {
  const [, digits, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits) * UNITS[unit as keyof typeof UNITS];
}

/** Parses `90d`, `never` (returns `null`) or a date. Returns `undefined` if the option is missing. */
export function readEnd(option: string, text: string | undefined): Date | null | undefined {
  if (text === undefined) return undefined;
  if (text === "never") return null;
  const seconds = parseSeconds(text);
  if (seconds !== undefined) return new Date(Date.now() + seconds * 1_000);
  if (!/^\d{4}-\d{2}-\d{2}/.test(text))
    throw new UsageError(`Invalid expiry in --${option} '${text}'. Use 90d, 12h, a date such as 2027-01-31, or never.`);
  const end = new Date(text);
  if (Number.isNaN(end.getTime()))
    throw new UsageError(`Invalid date in --${option} '${text}'. Use YYYY-MM-DD, for example 2027-01-31.`);
  if (end.getTime() <= Date.now()) throw new UsageError(`--${option} '${text}' is in the past.`);
  return end;
}
