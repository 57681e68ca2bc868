/**
 * A path that refers to the host it is used on. `//name` refers to the host `name` (RFC 3986 §4.2), and to browsers a backslash
 * is a slash (https://url.spec.whatwg.org/#relative-slash-state).
 */
export function sameHostPath(path: string): string {
  const safe = path.includes("\\") ? path.replaceAll("\\", "%5C") : path;
  return safe.startsWith("//") ? safe.replace(/^\/+/, "/") : safe;
}
