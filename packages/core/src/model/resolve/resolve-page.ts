import type { CachePolicy, PageSizes } from "../../definition/resource-config.ts";
import type { ResourceModel } from "../model.ts";
import type { Draft, Report } from "./draft.ts";
import { namesOf } from "./names-of.ts";
import { checkMembers, isObject } from "./read-config.ts";

const DEFAULT_SIZE = 20;
const DEFAULT_MAX = 100;
const PAGE = namesOf<PageSizes>({ size: true, max: true });
const CACHE = namesOf<CachePolicy>({ public: true, maxAge: true, staleWhileRevalidate: true, noStore: true });

export function resolvePage({ name, config }: Draft, report: Report): ResourceModel["page"] {
  const page = config["page"] ?? {};
  const at = `${name}.page`;
  if (!isObject(page)) {
    report(at, "Expected an object.", "Pass { size: 20, max: 100 }.");
    return { size: DEFAULT_SIZE, max: DEFAULT_MAX };
  }
  checkMembers(page, PAGE, at, report);
  const given = { size: page["size"], max: page["max"] };
  for (const [option, value] of Object.entries(given)) {
    if (value === undefined || (Number.isSafeInteger(value) && (value as number) > 0)) continue;
    report(`${at}.${option}`, "Expected a whole number above 0.", "Pass a number of rows, such as 20.");
  }
  const max = numberOr(given.max, Math.max(DEFAULT_MAX, numberOr(given.size, 0)));
  const size = numberOr(given.size, Math.min(DEFAULT_SIZE, max));
  if (size > max)
    report(at, `The page size ${size} is larger than max (${max}).`, "Increase 'max' or decrease 'size'.");
  return { size, max };
}

export function resolveCache({ name, config }: Draft, report: Report): CachePolicy | undefined {
  const cache = config["cache"];
  const at = `${name}.cache`;
  if (cache === undefined) return undefined;
  if (!isObject(cache)) {
    report(at, "Expected an object.", "Pass { public: true, maxAge: 60 }. Ages are in seconds.");
    return undefined;
  }
  checkMembers(cache, CACHE, at, report);
  if (cache["noStore"] === true && Object.keys(cache).length > 1) {
    report(at, "'noStore' can't be combined with other cache options.", "Pass { noStore: true } alone.");
  }
  for (const option of ["maxAge", "staleWhileRevalidate"]) {
    const value = cache[option];
    if (value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0)) continue;
    report(`${at}.${option}`, "Expected a number of seconds.", "Pass a whole number, 0 or more.");
  }
  return cache;
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : otherwise;
}
