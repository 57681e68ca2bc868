import { type Path, refuse } from "../errors/refuse.ts";
import type { ResourceModel } from "../model/model.ts";
import { wordsOf } from "../model/search-words.ts";
import type { Search } from "../operation/search.ts";

const MAX_WORDS = 10;
const MAX_CHARACTERS = 200;

/**
 * Lowers the text of a search. An empty text selects all rows. Throws BAD_REQUEST if the resource has no
 * search, or if the text has no words or too many.
 */
export function lowerSearch(resource: ResourceModel, text: unknown, path: Path): Search | undefined {
  if (text === undefined || text === null) return undefined;
  if (resource.search.length === 0)
    return refuse(path, "unsupported", `'${resource.name}' can't be searched. Use a filter instead.`);
  if (typeof text !== "string") return refuse(path, "malformed", "The search must be a string.");
  if (text.trim() === "") return undefined;
  if (text.length > MAX_CHARACTERS)
    return refuse(path, "too_long", `The search can have at most ${MAX_CHARACTERS} characters.`);
  const words = wordsOf(text);
  const start = words.at(-1);
  if (start === undefined) return refuse(path, "malformed", "The search contains no words.");
  if (words.length > MAX_WORDS) return refuse(path, "too_many", `The search can have at most ${MAX_WORDS} words.`);
  return { words: words.slice(0, -1), start };
}

/** Describes what a search does, for both schemas. `isList`: whether relevance can be the order of the result. */
export function describeSearch({ search }: ResourceModel, isList: boolean): string {
  const fields = search.map((path) => `\`${path.join(".")}\``).join(", ");
  const order = isList ? " Sorts by relevance, unless a sort is set." : "";
  return `Words that must all occur in ${fields}, ignoring case and accents. The last word can be the start of one.${order}`;
}
