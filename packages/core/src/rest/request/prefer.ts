import type { HttpRequest, HttpResponse } from "../../message/message.ts";

/** The supported preferences of a client (RFC 7240). The first of several equal names counts (§2). */
export interface Preferences {
  readonly return?: "minimal" | "representation";
  readonly handling?: "strict" | "lenient";
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
  }
  return found;
}

/** A strict request may fail where a lenient one succeeds, so caches must distinguish them (§2). */
export function variedByPrefer(response: HttpResponse): HttpResponse {
  const { Vary = "" } = response.headers;
  return { ...response, headers: { ...response.headers, Vary: Vary === "" ? "Prefer" : `${Vary}, Prefer` } };
}

/** Returns `Preference-Applied` (§3) for the preferences that the response follows. */
export function applied(preferences: Preferences, ...names: readonly (keyof Preferences)[]): Record<string, string> {
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
