import type { HttpRequest, HttpResponse } from "../../message/message.ts";

/** What a client prefers (RFC 7240), as far as it is known here. Of a preference said twice the first counts (§2). */
export interface Preferences {
  readonly return?: "minimal" | "representation";
  readonly handling?: "strict" | "lenient";
}

const NONE: Preferences = {};
/** No header: the same object each time, as most requests prefer nothing. */
const NOTHING: Record<string, string> = Object.freeze({});

/** Between commas, those within quotes aside. */
const PARTS = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g;
/** A name and its value; what parameters follow is of no meaning here. */
const PREFERENCE = /^([^\s=;",]+)(?:\s*=\s*("[^"]*"|[^\s;"]*))?(?:\s*;|\s*$)/;

/** Preferences that are not known are ignored, as the specification asks (§2). */
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

/** Who is strict may be refused what was answered here: a cache must tell them apart (§2). */
export function variedByPrefer(response: HttpResponse): HttpResponse {
  const { Vary = "" } = response.headers;
  return { ...response, headers: { ...response.headers, Vary: Vary === "" ? "Prefer" : `${Vary}, Prefer` } };
}

/** `Preference-Applied` (§3), for what the answer followed. */
export function applied(preferences: Preferences, ...names: readonly (keyof Preferences)[]): Record<string, string> {
  if (preferences === NONE) return NOTHING;
  const parts = names.flatMap((name) => (preferences[name] === undefined ? [] : [`${name}=${preferences[name]}`]));
  return parts.length === 0 ? NOTHING : { "Preference-Applied": parts.join(", ") };
}

/** Of what is gone there is no representation to prefer. */
export function appliedToRemoval(preferences: Preferences): Record<string, string> {
  return preferences.return === "minimal"
    ? applied(preferences, "return", "handling")
    : applied(preferences, "handling");
}
