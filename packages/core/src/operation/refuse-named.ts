import { BifocalError } from "../errors/bifocal-error.ts";

/**
 * Throws FORBIDDEN if the caller named a path that it can't read. Unreadable paths that it did not name are omitted
 * without an error.
 */
export function refuseNamed(named: readonly string[], denied: readonly string[]): void {
  if (denied.length === 0) return;
  const found = denied.find((path) => named.some((name) => name === path || name.startsWith(`${path}.`)));
  if (found === undefined) return;
  const message = `You are not allowed to read '${found}'.`;
  const issues = [{ path: ["fields", found], message, code: "not_readable" }];
  throw new BifocalError("FORBIDDEN", message, { issues });
}
