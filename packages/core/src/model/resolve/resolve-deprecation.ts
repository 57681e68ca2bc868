import type { Deprecation } from "../../definition/deprecation.ts";
import { z } from "zod";
import type { DeprecationModel } from "../model.ts";
import { reasonOf } from "../shape/meta.ts";
import type { Report } from "./draft.ts";
import { namesOf } from "./names-of.ts";
import { checkMembers, isObject } from "./read-config.ts";

const OPTIONS = namesOf<Deprecation>({ reason: true, since: true, sunset: true, link: true });

/** Reads `deprecated`, which is true, a reason, or an object. */
export function resolveDeprecation(value: unknown, at: string, report: Report): DeprecationModel | undefined {
  if (!isObject(value)) {
    const reason = reasonOf(value);
    if (reason === undefined && value !== undefined && value !== false && value !== "") {
      report(at, "Expected true, a text or an object.", 'Pass "Use x", or { reason, since, sunset, link }.');
    }
    return reason === undefined ? undefined : { reason, since: undefined, sunset: undefined, link: undefined };
  }
  checkMembers(value, OPTIONS, at, report);
  const { reason, link } = value;
  const since = readTime(value["since"], `${at}.since`, report);
  const sunset = readTime(value["sunset"], `${at}.sunset`, report);
  if (since !== undefined && sunset !== undefined && sunset < since) {
    report(
      `${at}.sunset`,
      "The sunset date is before 'since'.",
      "Set 'since' to a date before 'sunset' (RFC 9745 §4).",
    );
  }
  if (link !== undefined && (typeof link !== "string" || !URL.canParse(link, "http://localhost"))) {
    report(`${at}.link`, "Expected a URL.", 'Pass a URL such as "https://example.com/changes".');
  }
  return {
    reason: reasonOf(typeof reason === "string" ? reason : true) as string,
    since,
    sunset,
    link: typeof link === "string" ? link : undefined,
  };
}

/** Reads the `deprecation` in a schema's `.meta()`, which can say more than `deprecated: true`. */
export function schemaDeprecation(schema: z.ZodType, at: string, report: Report): DeprecationModel | undefined {
  const meta = z.globalRegistry.get(schema);
  return resolveDeprecation(meta?.["deprecation"], `${at}.meta.deprecation`, report);
}

function readTime(value: unknown, at: string, report: Report): number | undefined {
  if (value === undefined) return undefined;
  const time = typeof value === "string" && /^\d{4}-\d\d-\d\d(T.+)?$/.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(time)) return Math.floor(time / 1_000);
  report(at, "Expected a date.", 'Pass an ISO 8601 date such as "2026-07-01".');
  return undefined;
}
