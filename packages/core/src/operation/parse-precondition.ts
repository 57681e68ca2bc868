import type { Precondition } from "./operation.ts";

/**
 * Parses a version as in REST's `ETag`, quoted or not, or a list of them (RFC 9110 §13.1.1). The part after the dot
 * names a representation and is ignored. Weak tags never match, because `If-Match` uses strong comparison. Returns
 * undefined for other text.
 */
export function parsePrecondition(text: unknown): Precondition | undefined {
  if (typeof text !== "string") return undefined;
  const list = text.trim();
  if (list === "*") return "*";
  const versions: string[] = [];
  for (const part of list.split(",").map((one) => one.trim())) {
    const tag = /^(W\/)?"([^"]*)"$/.exec(part)?.slice(1) ?? [undefined, part];
    const version = tag[1]?.split(".")[0] ?? "";
    if (version === "" || /["\s]/.test(version)) return undefined;
    if (tag[0] === undefined) versions.push(version);
  }
  return versions;
}
