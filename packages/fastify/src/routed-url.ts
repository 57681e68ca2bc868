import type { FastifyInstance } from "fastify";

/**
 * Returns the part of a URL within the mount, as Fastify's router interprets it: repeated slashes are removed if the
 * router ignores them. Returns `undefined` for a mount path with another spelling, such as `/%61pi`.
 */
export function createRoutedUrl(app: FastifyInstance, prefix: string): (url: string) => string | undefined {
  const { routerOptions, ignoreDuplicateSlashes, ignoreTrailingSlash, caseSensitive } = app.initialConfig;
  const mergesSlashes = routerOptions?.ignoreDuplicateSlashes ?? ignoreDuplicateSlashes ?? false;
  const dropsLastSlash = routerOptions?.ignoreTrailingSlash ?? ignoreTrailingSlash ?? false;
  const hasCase = routerOptions?.caseSensitive ?? caseSensitive ?? true;
  const mount = hasCase ? prefix : prefix.toLowerCase();
  const beneath = mergesSlashes || dropsLastSlash ? undefined : `${prefix}/`;

  return (url) => {
    // The fast path, for most requests.
    if (beneath !== undefined && url.startsWith(beneath)) return url.slice(prefix.length);
    const mark = url.indexOf("?");
    let path = mark < 0 ? url : url.slice(0, mark);
    if (mergesSlashes && path.includes("//")) path = path.replaceAll(/\/{2,}/g, "/");
    if (dropsLastSlash && path.length > 1 && path.endsWith("/")) path = path.slice(0, -1);
    const start = path.slice(0, mount.length);
    if ((hasCase ? start : start.toLowerCase()) !== mount) return undefined;
    const within = path.slice(mount.length);
    if (within !== "" && !within.startsWith("/")) return undefined;
    return `${within === "" ? "/" : within}${mark < 0 ? "" : url.slice(mark)}`;
  };
}
