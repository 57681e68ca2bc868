import type { Hooks } from "../../definition/hooks.ts";
import type { BulkLimits, CachePolicy, PageSizes } from "../../definition/resource-config.ts";
import type { HookName, HooksModel, ResourceModel } from "../model.ts";
import type { Draft, Report } from "./draft.ts";
import { namesOf } from "./names-of.ts";
import { checkMembers, isObject, quoteName, readEntries, suggest } from "./read-config.ts";

type Reading = Pick<ResourceModel, "page" | "cache" | "exactCount">;
type Writing = Pick<ResourceModel, "version" | "upsert" | "requirePrecondition" | "bulk" | "hooks">;

/** Resolves the options for reads: the sizes of pages, and the headers for caches. */
export function resolveReading(draft: Draft, report: Report): Reading {
  return {
    page: readPage(draft, report),
    cache: readCache(draft, report),
    exactCount: readFlag(draft, "exactCount", report),
  };
}

/** Resolves the options for writes: version, preconditions, bulk limits and hooks. */
export function resolveWriting(draft: Draft, report: Report): Writing {
  const version = readVersion(draft, report);
  const upsert = readFlag(draft, "upsert", report);
  const requirePrecondition = readFlag(draft, "requirePrecondition", report);
  const bulk = readBulk(draft, report);
  return { version, upsert, requirePrecondition, bulk, hooks: readHooks(draft, report) };
}

/** Returns the name of the version field, without checking it. */
export function versionOf({ config }: Draft): unknown {
  return config["version"];
}

function readVersion(draft: Draft, report: Report): string | undefined {
  const { name, fields, key } = draft;
  const version = versionOf(draft);
  const at = `${name}.version`;
  if (version === undefined) return undefined;
  const field = typeof version === "string" ? fields.get(version) : undefined;
  if (field === undefined) {
    report(at, `Unknown field ${quoteName(version)}.`, suggest(version, [...fields.keys()]));
    return undefined;
  }
  if (field.type.kind !== "integer" || field.type.nullable) {
    report(at, `'${field.name}' is not an integer field.`, "Use z.int(): the version counts the writes of a row.");
  }
  if (field.generated !== undefined || field.internal || key.includes(field.name)) {
    report(at, `'${field.name}' is generated, internal or part of the key.`, "Use a separate field for the version.");
  }
  return field.name;
}

function readFlag({ name, config }: Draft, option: string, report: Report): boolean {
  const value = config[option];
  if (value !== undefined && typeof value !== "boolean")
    report(`${name}.${option}`, "Expected a boolean.", "Pass true or false.");
  return value === true;
}

const BULK = namesOf<BulkLimits>({ create: true, update: true, delete: true });

function readBulk({ name, config }: Draft, report: Report): ResourceModel["bulk"] {
  const at = `${name}.bulk`;
  const limits = { create: 0, update: 0, delete: 0 };
  const given = config["bulk"];
  if (given === undefined) return limits;
  if (!isObject(given)) {
    report(
      at,
      "Expected an object.",
      "Pass the number of rows that one request can write: { create: 100, update: 100 }.",
    );
    return limits;
  }
  checkMembers(given, BULK, at, report);
  for (const what of BULK) {
    const value = given[what] ?? 0;
    if (Number.isSafeInteger(value) && (value as number) >= 0) limits[what] = value as number;
    else report(`${at}.${what}`, "Expected a number of rows.", "Pass a whole number, such as 100.");
  }
  return limits;
}

const BOTH = { before: true, after: true } as const;
/** The times at which each hook runs. Doesn't compile if one is missing. */
const HOOKS: { readonly [Name in HookName]: Record<keyof NonNullable<Hooks<unknown, unknown>[Name]>, true> } = {
  get: BOTH,
  list: BOTH,
  create: BOTH,
  update: BOTH,
  delete: BOTH,
  link: BOTH,
  act: BOTH,
  watch: { before: true },
};

function readHooks({ name, config }: Draft, report: Report): HooksModel {
  const at = `${name}.hooks`;
  const hooks = readEntries(config["hooks"], at, report);
  checkMembers(Object.fromEntries(hooks), Object.keys(HOOKS), at, report);
  return Object.fromEntries(
    hooks.flatMap(([what, pair]) => {
      if (!Object.hasOwn(HOOKS, what)) return [];
      const functions = readEntries(pair, `${at}.${what}`, report).filter(([, hook]) => hook !== undefined);
      checkMembers(Object.fromEntries(functions), Object.keys(HOOKS[what as HookName]), `${at}.${what}`, report);
      for (const [time, hook] of functions) {
        if (typeof hook !== "function")
          report(`${at}.${what}.${time}`, "Expected a function.", "Write (context) => { … }.");
      }
      return functions.length === 0 ? [] : [[what, Object.fromEntries(functions)]];
    }),
  );
}

const DEFAULT_SIZE = 20;
const DEFAULT_MAX = 100;
const PAGE = namesOf<PageSizes>({ size: true, max: true });
const CACHE = namesOf<CachePolicy>({ public: true, maxAge: true, staleWhileRevalidate: true, noStore: true });

function readPage({ name, config }: Draft, report: Report): ResourceModel["page"] {
  const { page = {} } = config;
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

function readCache({ name, config }: Draft, report: Report): CachePolicy | undefined {
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
  for (const option of ["public", "noStore"]) {
    // A text such as "false" would count as true, and let shared caches store the responses.
    if (cache[option] !== undefined && typeof cache[option] !== "boolean")
      report(`${at}.${option}`, "Expected true or false.", "Pass a boolean, or remove the option.");
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
