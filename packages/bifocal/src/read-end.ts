import { UsageError } from "./command.ts";

const UNITS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** Parses `90d`, `12h`, `30m` or `45s` into seconds. */
export function readSeconds(option: string, text: string): number {
  const [, digits, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (digits === undefined || unit === undefined) {
    throw new UsageError(`Invalid duration in --${option} '${text}'. Use 90d, 12h, 30m or 45s.`);
  }
  return Number(digits) * UNITS[unit as keyof typeof UNITS];
}

/** Parses `90d`, `never` (returns `null`) or a date. Returns `undefined` if the option is missing. */
export function readEnd(option: string, text: string | undefined): Date | null | undefined {
  if (text === undefined) return undefined;
  if (text === "never") return null;
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return new Date(Date.now() + readSeconds(option, text) * 1_000);
  const end = new Date(text);
  if (Number.isNaN(end.getTime()))
    throw new UsageError(`Invalid date in --${option} '${text}'. Use YYYY-MM-DD, for example 2027-01-31.`);
  if (end.getTime() <= Date.now()) throw new UsageError(`--${option} '${text}' is in the past.`);
  return end;
}
