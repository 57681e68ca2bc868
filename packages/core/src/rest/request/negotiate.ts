import Negotiator from "negotiator";
import type { Format } from "../formats/format.ts";
import type { HttpRequest, HttpResponse } from "../../message/message.ts";

/**
 * Returns the offered type that the client prefers (RFC 9110 §12.5.1), the first of several equal ones. Returns
 * undefined if the client accepts no offered type. All types are in UTF-8, so a requested charset of UTF-8 is ignored.
 */
export function negotiate(
  accept: string | readonly string[] | undefined,
  offered: readonly string[],
  formats: readonly Format[] = [],
): string | undefined {
  if (accept === undefined || accept === "*/*" || accept === offered[0]) return offered[0];
  const header = String(accept).trim();
  if (header === "") return offered[0];
  return new Negotiator({ headers: { accept: withoutIgnored(header, formats) } }).mediaType([...offered]);
}

/** Removes the parameters that select no other representation: those that a format ignores, or a charset of UTF-8. */
function withoutIgnored(header: string, formats: readonly Format[]): string {
  return header
    .split(",")
    .map((range) => {
      const [type = ""] = range.split(";", 1);
      const format = formats.find(({ mediaType }) => mediaType === type.trim().toLowerCase());
      return range.replace(format?.ignoredParameters ?? UTF_8, "");
    })
    .join(",");
}

const UTF_8 = /;\s*charset\s*=\s*"?utf-?8"?/gi;

/** The supported preferences of a client (RFC 7240). The first of several equal names counts (§2). */
export interface Preferences {
  readonly return?: "minimal" | "representation";
  readonly handling?: "strict" | "lenient";
  /** Whether a list has its cursors in `Page-Info`. */
  readonly pageInfo?: true;
}

const NONE: Preferences = {};
/** Reused if nothing was applied, as for most requests. */
const NOTHING: Record<string, string> = Object.freeze({});

/** Matches the parts between commas, ignoring commas in quotes. */
const PARTS = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g;
/** Matches a name and its value, and ignores parameters. */
const PREFERENCE = /^([^\s=;",]+)(?:\s*=\s*("[^"]*"|[^\s;"]*))?(?:\s*;|\s*$)/;

/** Parses `Prefer`. Unknown preferences are ignored (§2). */
export function parsePrefer({ headers }: Pick<HttpRequest, "headers">): Preferences {
  const header = headers["prefer"];
  if (header === undefined) return NONE;
  const found: { -readonly [K in keyof Preferences]: Preferences[K] } = {};
  for (const part of String(header).match(PARTS) ?? []) {
    const [, name = "", value = ""] = PREFERENCE.exec(part.trim()) ?? [];
    const word = value.replace(/^"(.*)"$/, "$1").toLowerCase();
    if (/^return$/i.test(name) && (word === "minimal" || word === "representation")) found.return ??= word;
    if (/^handling$/i.test(name) && (word === "strict" || word === "lenient")) found.handling ??= word;
    if (/^page-info$/i.test(name)) found.pageInfo = true;
  }
  return found;
}

/** A strict request may fail where a lenient one succeeds, so caches must distinguish them (§2). */
export function variedByPrefer(response: HttpResponse): HttpResponse {
  const { Vary = "" } = response.headers;
  return { ...response, headers: { ...response.headers, Vary: Vary === "" ? "Prefer" : `${Vary}, Prefer` } };
}

/** Returns `Preference-Applied` (§3) for the preferences that the response follows. */
export function applied(
  preferences: Preferences,
  ...names: readonly ("return" | "handling")[]
): Record<string, string> {
  if (preferences === NONE) return NOTHING;
  const parts = names.flatMap((name) => (preferences[name] === undefined ? [] : [`${name}=${preferences[name]}`]));
  return parts.length === 0 ? NOTHING : { "Preference-Applied": parts.join(", ") };
}

/** A deleted row has no representation, so only `return=minimal` applies. */
export function appliedToDeletion(preferences: Preferences): Record<string, string> {
  return preferences.return === "minimal"
    ? applied(preferences, "return", "handling")
    : applied(preferences, "handling");
}
