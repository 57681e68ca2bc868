import type { Problem, ProblemRequest } from "../format.ts";
import { writeParameters } from "./url.ts";

/** A misspelled name, and the URL with the suggested one. */
export interface SuggestedUrl {
  readonly wrong: string;
  readonly name: string;
  /** Path and query within the API. */
  readonly url: string;
}

const SUGGESTION = /Did you mean '([^']+)'\?/;
const QUOTED = /'([^'\s]+)'/g;
/** Parameters whose values are names. */
const LISTS: ReadonlySet<unknown> = new Set(["sort", "fields", "include", "rel", "aggregate", "group"]);

/** Returns the URL with the suggested name for each misspelled one. */
export function suggestedUrls({ errors = [] }: Problem, { path, query }: ProblemRequest): readonly SuggestedUrl[] {
  return errors.flatMap(({ path: [parameter], message }) => {
    const [hint, name] = SUGGESTION.exec(message) ?? [];
    if (hint === undefined || name === undefined) return [];
    const before = [...message.slice(0, message.indexOf(hint)).matchAll(QUOTED)].map(([, quoted = ""]) => quoted);
    for (const wrong of before.reverse()) {
      const corrected = replaceName(query, String(parameter), wrong, name);
      if (corrected !== undefined) return [{ wrong, name, url: `${path}?${corrected}` }];
    }
    return [];
  });
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
