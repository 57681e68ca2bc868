// Imports nothing: with graphqlLens(), bundlers put this module in a file that the first watch loads.

/** Writes a list query as a query string. Returns undefined if a URL can't express it: null, an empty list or object. */
export function writeQuery(query: Readonly<Record<string, unknown>>): string | undefined {
  const parts: string[] = [];
  return setMembers(query).every(([name, value]) => write(name, value, parts)) ? parts.join("&") : undefined;
}

function write(name: string, value: unknown, parts: string[]): boolean {
  if (Array.isArray(value)) {
    // Branches of `and` and `or` are numbered. Other lists repeat the name.
    const isBranches = value.some(hasMembers);
    return value.length > 0 && value.every((one, index) => write(isBranches ? `${name}[${index}]` : name, one, parts));
  }
  if (hasMembers(value)) {
    const members = setMembers(value);
    return members.length > 0 && members.every(([key, one]) => write(`${name}[${key}]`, one, parts));
  }
  if (value === null || value === undefined) return false;
  parts.push(`${encodeURIComponent(name)}=${writeScalar(value)}`);
  return true;
}

function hasMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function setMembers(object: object): [name: string, value: unknown][] {
  return Object.entries(object).filter(([, value]) => value !== undefined);
}

function writeScalar(value: unknown): string {
  return encodeURIComponent(value instanceof Date ? value.toJSON() : String(value));
}
