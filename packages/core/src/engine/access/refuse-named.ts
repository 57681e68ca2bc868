import { BifocalError } from "../../errors/bifocal-error.ts";

/** Throws FORBIDDEN if the request names a path that its caller can't read. Hidden paths that it doesn't name are omitted. */
export function refuseNamed(named: readonly string[] | undefined, denied: readonly string[]): void {
  const refusal = refusalOf(named, denied);
  if (refusal !== undefined) throw refusal;
}

/** The error for the first denied path that the request names, or that one of its paths leads through. */
export function refusalOf(named: readonly string[] | undefined, denied: readonly string[]): BifocalError | undefined {
  if (named === undefined || denied.length === 0) return undefined;
  const found = denied.find((path) => named.some((name) => name === path || name.startsWith(`${path}.`)));
  if (found === undefined) return undefined;
  const message = `You are not allowed to read '${found}'.`;
  const issues = [{ path: ["fields", found], message, code: "not_readable" }];
  return new BifocalError("FORBIDDEN", message, { issues });
}
