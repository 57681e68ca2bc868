const WHITESPACE = " \t\n\r";

/**
 * The first name that an object of a JSON text has twice: `JSON.parse` keeps the last and says nothing, another parser on
 * the way may keep the first (RFC 8259 §4). `value` is the text parsed.
 */
export function repeatedName(text: string, value: unknown): string | undefined {
  return countNames(text) === countMembers(value) ? undefined : findRepeated(text);
}

/** Strings before a colon. */
function countNames(text: string): number {
  let count = 0;
  for (let start = text.indexOf('"'); start >= 0; ) {
    const end = endOfString(text, start);
    if (isName(text, end)) count++;
    start = text.indexOf('"', end + 1);
  }
  return count;
}

function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const one of value) count += countMembers(one);
    return count;
  }
  for (const one of Object.values(value)) count += 1 + countMembers(one);
  return count;
}

function findRepeated(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (let index = 0; index < text.length; index++) {
    const letter = text[index];
    // A list has no names; it only has to be closed like an object.
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

/** Where the string that starts here ends: at the next quote with an even number of backslashes before it. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  while (text[quote - 1 - backslashes] === "\\") backslashes++;
  return backslashes % 2 === 1;
}

function isName(text: string, end: number): boolean {
  let next = end + 1;
  while (next < text.length && WHITESPACE.includes(text[next] as string)) next++;
  return text[next] === ":";
}
