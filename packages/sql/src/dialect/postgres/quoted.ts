/** Returns the name of a table, with its schema if it has one, for `regclass`. */
export function quoted(name: string): string {
  return name
    .split(".")
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join(".");
}
