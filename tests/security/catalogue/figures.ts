import { KINDS_OF_WRITES } from "../../equivalence/writes/step.ts";
import { REQUEST_KINDS } from "../non-interference/request-kinds.ts";

/** The figures in docs/security.md, by the name of the comment before each. */
const FIGURES: Readonly<Record<string, number>> = {
  "kinds-of-requests": REQUEST_KINDS.length,
  "kinds-of-writes": KINDS_OF_WRITES,
};

/** Returns the page with the current figures: `<!-- kinds-of-writes -->28 kinds`. */
export function withFigures(page: string): string {
  return Object.entries(FIGURES).reduce((text, [name, figure]) => {
    const place = new RegExp(`(<!-- ${name} -->)\\d+`);
    if (!place.test(text)) throw new Error(`The page has no place for ${name}.`);
    return text.replace(place, `$1${figure}`);
  }, page);
}
