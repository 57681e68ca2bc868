import type { Problem, ProblemRequest, RequestMistake } from "../format.ts";
import { writeParameters } from "./url.ts";

type Issue = NonNullable<Problem["errors"]>[number];

/** A misspelled name, and the URL with the suggested one. */
export interface SuggestedUrl {
  readonly wrong: string;
  readonly name: string;
  /** Path and query within the API. */
  readonly url: string;
}

/** The corrections of a rejected request. */
export interface Corrections {
  readonly each: readonly SuggestedUrl[];
  /** The URL with every suggested name, if there are several. */
  readonly all: string | undefined;
}

interface Misspelling {
  readonly parameter: string;
  readonly wrong: string;
  readonly name: string;
}

const SUGGESTION = /Did you mean '([^']+)'\?/;
const QUOTED = /'([^'\s]+)'/g;
/** Parameters whose values are names. */
const LISTS: ReadonlySet<unknown> = new Set(["sort", "fields", "include", "rel", "aggregate", "group"]);

/** Returns the URL with the suggested name for each misspelled one, and the URL with all of them. */
export function suggestedUrls({ errors = [] }: Problem, { path, query, mistakes = [] }: ProblemRequest): Corrections {
  const found = [...errors.flatMap((error) => misspellingOf(error, query)), ...mistakes.flatMap(misspelled)];
  const each: SuggestedUrl[] = [];
  let whole = query;
  for (const { parameter, wrong, name } of found) {
    if (each.some((one) => one.wrong === wrong && one.name === name)) continue;
    // The place of a mistake contains the suggested names of those before it.
    const written = each.find((one) => one.name === parameter)?.wrong ?? parameter;
    const corrected = replaceName(query, written, wrong, name);
    if (corrected === undefined) continue;
    each.push({ wrong, name, url: `${path}?${corrected}` });
    whole = replaceName(whole, parameter, wrong, name) ?? replaceName(whole, written, wrong, name) ?? whole;
  }
  return { each, all: each.length > 1 ? `${path}?${whole}` : undefined };
}

function misspelled({ path: [parameter], text, suggestion }: RequestMistake): readonly Misspelling[] {
  return suggestion === undefined ? [] : [{ parameter: String(parameter), wrong: text, name: suggestion }];
}

function misspellingOf({ path, message }: Issue, query: string): readonly Misspelling[] {
  const [hint, name] = SUGGESTION.exec(message) ?? [];
  if (hint === undefined || name === undefined) return [];
  const parameter = String(path[0]);
  const before = [...message.slice(0, message.indexOf(hint)).matchAll(QUOTED)].map(([, quoted = ""]) => quoted);
  const wrong = before.findLast((one) => replaceName(query, parameter, one, name) !== undefined);
  return wrong === undefined ? [] : [{ parameter, wrong, name }];
}

/** Replaces a name in a parameter, and in its values if they are names. Undefined if the name isn't there. */
export function replaceName(query: string, parameter: string, wrong: string, right: string): string | undefined {
  const replace = (text: string): string => text.replaceAll(wordOf(wrong), () => right);
  const pairs = [...new URLSearchParams(query)].map(([name, value]) => {
    const isMeant = name === parameter || name.startsWith(`${parameter}[`);
    return isMeant ? [replace(name), LISTS.has(parameter) ? replace(value) : value] : [name, value];
  }) as (readonly [string, string])[];
  const corrected = writeParameters(pairs);
  return corrected === writeParameters(new URLSearchParams(query)) ? undefined : corrected;
}

/** Matches a name as a whole: `nam` in `author.nam`, but not in `name`. */
export function wordOf(name: string): RegExp {
  return new RegExp(`(?<![\\w$])${name.replaceAll(/[^\w]/g, "\\$&")}(?![\\w$])`, "g");
}
