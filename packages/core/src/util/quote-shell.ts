/** Quotes text for POSIX shells. Inside single quotes, only single quotes have a meaning. */
export function quoteShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
