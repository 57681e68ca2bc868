/**
 * Returns an error message if an API cannot be mounted under a path. `/api` and `/v1/api` are valid; `api`, `/api/` and
 * `/api?x` are not.
 */
export function prefixProblem(prefix: string, name = "The prefix"): string | undefined {
  if (/^(\/[^/?#]+)*$/.test(prefix)) return undefined;
  return `${name} '${prefix}' must start with '/' and must not end with it, such as /api`;
}
