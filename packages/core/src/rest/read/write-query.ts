import { isPlainObject } from "../../errors/refuse.ts";

/** Parameters whose lists are separated by commas. All others repeat their name. */
const COMMAS: ReadonlySet<string> = new Set(["sort", "fields", "include", "aggregate", "group"]);

/**
 * Writes a list query as a query string that `parseQuery` reads. Returns undefined if a URL can't express it: null, an
 * empty list or object, or an unpaired surrogate.
 */
export function writeQuery(query: Readonly<Record<string, unknown>>): string | undefined {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || isEmpty(value)) continue;
    const written = COMMAS.has(name) && isTexts(value) ? value.join(",") : value;
    if (!name.isWellFormed() || !write(encodeURIComponent(name), written, parts)) return undefined;
  }
  return parts.join("&");
}

function write(name: string, value: unknown, parts: string[]): boolean {
  if (Array.isArray(value)) {
    // Branches of `and` and `or` are numbered. Other lists repeat the name.
    const isBranches = value.some(isPlainObject);
    return (
      value.length > 0 && value.every((one, index) => write(isBranches ? `${name}%5B${index}%5D` : name, one, parts))
    );
  }
  if (isPlainObject(value)) {
    const members = Object.entries(value).filter(([, one]) => one !== undefined);
    // A name with brackets would be parsed as several names.
    const isName = (key: string): boolean => key.isWellFormed() && !/[[\]]/.test(key);
    return (
      members.length > 0 &&
      members.every(([key, one]) => isName(key) && write(`${name}%5B${encodeURIComponent(key)}%5D`, one, parts))
    );
  }
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return false;
  if (typeof value === "string" && !value.isWellFormed()) return false;
  parts.push(`${name}=${encodeURIComponent(value)}`);
  return true;
}

function isEmpty(value: unknown): boolean {
  return isPlainObject(value) && Object.keys(value).length === 0;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string");
}
