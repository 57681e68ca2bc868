import { BifocalError } from "../errors/bifocal-error.ts";

/** What a caller names it must be allowed to read (FORBIDDEN); what it does not name is left out in silence. */
export function refuseNamed(named: readonly string[], denied: readonly string[]): void {
  if (denied.length === 0) return;
  const found = denied.find((path) => named.some((name) => name === path || name.startsWith(`${path}.`)));
  if (found === undefined) return;
  const message = `You are not allowed to read '${found}'.`;
  const issues = [{ path: ["fields", found], message, code: "not_readable" }];
  throw new BifocalError("FORBIDDEN", message, { issues });
}
