const QUOTE = 34;
const COLON = 58;
const BACKSLASH = 92;

/**
 * Returns the first name that an object in a JSON text contains twice. `JSON.parse` silently keeps the last value, and
 * another parser might keep the first one (RFC 8259 §4).
 *
 * @param members - number of members in the parsed value
 */
export function repeatedName(text: string, members: number): string | undefined {
  if (countNames(text) === members) return undefined;
  return findRepeated(text);
}

/** Returns the number of colons in a text. Faster than a loop over all characters. */
export function countColons(text: string): number {
  let count = 0;
  for (let index = text.indexOf(":"); index >= 0; index = text.indexOf(":", index + 1)) count++;
  return count;
}

/** Returns the number of members in all objects of a value, or undefined if it is nested deeper than `depth`. */
export function countMembers(value: unknown, depth: number): number | undefined {
  if (typeof value !== "object" || value === null) return 0;
  if (depth <= 0) return undefined;
  let count = 0;
  if (Array.isArray(value)) {
    for (const inner of value) {
      const more = countMembers(inner, depth - 1);
      if (more === undefined) return undefined;
      count += more;
    }
    return count;
  }
  for (const name in value) {
    const more = countMembers((value as Record<string, unknown>)[name], depth - 1);
    if (more === undefined) return undefined;
    count += 1 + more;
  }
  return count;
}

/** Counts strings that are followed by a colon. */
function countNames(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) !== QUOTE) continue;
    index = endOfString(text, index);
    if (isName(text, index)) count++;
  }
  return count;
}

function findRepeated(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (let index = 0; index < text.length; index++) {
    const letter = text[index];
    // A list has no names, but its end has to be matched like that of an object.
    if (letter === "{" || letter === "[") open.push(new Set());
    else if (letter === "}" || letter === "]") open.pop();
    else if (letter === '"') {
      const end = endOfString(text, index);
      if (isName(text, end)) {
        const name = JSON.parse(text.slice(index, end + 1)) as string;
        if (open.at(-1)?.has(name) === true) return name;
        open.at(-1)?.add(name);
      }
      index = end;
    }
  }
  return undefined;
}

/**
 * Returns the index of the quote that ends the string: the next one after an even number of backslashes. Negative if the
 * string doesn't end.
 */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, quote: number): boolean {
  let start = quote;
  while (text.charCodeAt(start - 1) === BACKSLASH) start--;
  return (quote - start) % 2 === 1;
}

function isName(text: string, end: number): boolean {
  let next = end + 1;
  while (isSpace(text.charCodeAt(next))) next++;
  return text.charCodeAt(next) === COLON;
}

/** Whitespace according to RFC 8259 §2. */
function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

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
