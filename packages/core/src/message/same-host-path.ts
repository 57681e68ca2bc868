/**
 * Returns a path that always refers to the current host. `//name` would refer to the host `name` (RFC 3986 §4.2), and
 * browsers treat a backslash as a slash (https://url.spec.whatwg.org/#relative-slash-state).
 */
export function sameHostPath(path: string): string {
  const safe = path.includes("\\") ? path.replaceAll("\\", "%5C") : path;
  return safe.startsWith("//") ? safe.replace(/^\/+/, "/") : safe;
}
