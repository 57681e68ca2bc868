import { endOfString } from "./repeated-name.ts";

const QUOTE = 34;
const COLON = 58;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** The minimum length of a member: `"":1`. */
const SHORTEST = 4;

/**
 * Returns whether an object in a JSON text has more than `most` members. This is checked before parsing, because
 * objects with many members take disproportionately long to parse, especially if an attacker chooses the names. The
 * result for invalid JSON is unspecified.
 */
export function hasCrowdedObject(text: string, most: number): boolean {
  if (text.length < most * SHORTEST) return false;
  const counts: number[] = [];
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case QUOTE: {
        const end = endOfString(text, index);
        if (end < 0) return false;
        index = end;
        break;
      }
      case OPEN_OBJECT:
      case OPEN_LIST:
        counts.push(0);
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        counts.pop();
        break;
      case COLON: {
        const last = counts.length - 1;
        if (++(counts as [number])[last as 0] > most) return true;
      }
    }
  }
  return false;
}
