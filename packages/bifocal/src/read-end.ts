import { UsageError } from "./command.ts";

const UNITS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** `90d`, `12h`, `30m`, `45s` → seconds. */
export function readSeconds(option: string, text: string): number {
  const [, digits, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (digits === undefined || unit === undefined) {
    throw new UsageError(`--${option} '${text}' is no time: 90d, 12h, 30m or 45s.`);
  }
  return Number(digits) * UNITS[unit as keyof typeof UNITS];
}

/** `90d`, `never` or a date → when; `undefined` where nothing was said. */
export function readEnd(option: string, text: string | undefined): Date | null | undefined {
  if (text === undefined) return undefined;
  if (text === "never") return null;
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return new Date(Date.now() + readSeconds(option, text) * 1_000);
  const end = new Date(text);
  if (Number.isNaN(end.getTime())) throw new UsageError(`--${option} '${text}' is no date: 2027-01-31.`);
  if (end.getTime() <= Date.now()) throw new UsageError(`--${option} '${text}' has passed.`);
  return end;
}
