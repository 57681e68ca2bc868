/** Parts of the paths of routers: `*`, `/:tenant`, `/{tenant}` and `/[[...path]]`. */
const PATTERN = /\*|\/[:{[]/;

/**
 * Returns an error message if a path can't be a prefix. `/api` and `/v1/api` are valid; `api`, `/api/` and `/api?x` are
 * not.
 */
export function prefixProblem(prefix: string, name = "The prefix"): string | undefined {
  if (/^(\/[^/?#]+)*$/.test(prefix)) return undefined;
  return `${name} '${prefix}' must start with '/' and must not end with it, such as /api`;
}

/** Does the same for a prefix with which the paths of requests are compared. `/api/*` would match nothing. */
export function mountProblem(prefix: string): string | undefined {
  if (PATTERN.test(prefix)) return `The prefix '${prefix}' must be a fixed path without patterns, such as /api`;
  return prefixProblem(prefix);
}
