import { BifocalError } from "../../errors/bifocal-error.ts";
import type { Precondition } from "../../operation/operation.ts";

/**
 * Parses a version as in REST's `ETag`, quoted or not, or a list of them (RFC 9110 §13.1.1). The part after the dot
 * names a representation and is ignored. Weak tags never match, because `If-Match` uses strong comparison.
 */
export function parseIfMatch(name: string, text: unknown): Precondition | undefined {
  if (typeof text !== "string") return undefined;
  const list = text.trim();
  if (list === "*") return "*";
  const versions: string[] = [];
  for (const part of list.split(",").map((one) => one.trim())) {
    const tag = /^(W\/)?"([^"]*)"$/.exec(part)?.slice(1) ?? [undefined, part];
    const version = tag[1]?.split(".")[0] ?? "";
    if (version === "" || /["\s]/.test(version)) {
      throw new BifocalError("BAD_REQUEST", `'${name}' must be a version, a comma-separated list of versions, or '*'.`);
    }
    if (tag[0] === undefined) versions.push(version);
  }
  return versions;
}
