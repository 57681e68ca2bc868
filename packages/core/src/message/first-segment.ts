/** Returns the first segment of a path, percent-encoded as received. */
export function firstSegment(path: string): string {
  const end = path.indexOf("/", 1);
  return end < 0 ? path.slice(1) : path.slice(1, end);
}
