import { BifocalError } from "../../errors/bifocal-error.ts";
import type { HttpRequest } from "../../message/message.ts";
import type { ResourceModel } from "../../model/model.ts";
import type { Precondition } from "../../operation/operation.ts";
import { failsVersion, lacksPrecondition, preconditionRequired, stale } from "../../operation/preconditions.ts";
import { refuse } from "../../errors/refuse.ts";

const TAG = /^(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;

/** Parses `If-Match` and `If-None-Match` (RFC 9110 §13.1) of a write to versions of rows. */
export function parsePreconditions({ headers }: HttpRequest): {
  readonly ifMatch?: Precondition;
  readonly ifNoneMatch?: Precondition;
} {
  const ifMatch = headers["if-match"];
  const ifNoneMatch = headers["if-none-match"];
  return {
    ...(ifMatch === undefined ? {} : { ifMatch: parseTags("If-Match", ifMatch, true) }),
    ...(ifNoneMatch === undefined ? {} : { ifNoneMatch: parseTags("If-None-Match", ifNoneMatch, false) }),
  };
}

/** Parses `If-Match` of a write to many rows: the versions of all of them. */
export function parseBatchPrecondition({ headers }: HttpRequest): { readonly ifMatch?: Precondition } {
  const ifMatch = headers["if-match"];
  if (headers["if-none-match"] !== undefined) throw onlyForOneRow("If-None-Match");
  return ifMatch === undefined ? {} : { ifMatch: parseTags("If-Match", ifMatch, true) };
}

/** Rejects a write if the row's version doesn't satisfy the preconditions, or if a required precondition is missing. */
export function refusePrecondition(request: HttpRequest, resource: ResourceModel, version: string): void {
  const conditions = parsePreconditions(request);
  if (lacksPrecondition(resource, conditions)) throw preconditionRequired(resource);
  if (failsVersion(conditions, version)) throw stale(resource);
}

/**
 * Rejects preconditions if the request is not about existing rows: a new row, a link. `If-Match: *` is
 * always satisfied (RFC 9110 §13.1.1).
 */
export function refuseConditions({ headers }: HttpRequest): void {
  if (headers["if-match"] === undefined && headers["if-none-match"] === undefined) return;
  for (const name of ["If-Match", "If-None-Match"] as const) {
    const header = headers[name.toLowerCase()];
    if (header === undefined || (name === "If-Match" && String(header).trim() === "*")) continue;
    throw onlyForOneRow(name);
  }
}

function onlyForOneRow(name: string): BifocalError {
  return new BifocalError("PRECONDITION_FAILED", `'${name}' applies only to a single row. Leave it out.`);
}

/** The part of a tag before the dot is the version. `If-Match` ignores weak tags. */
function parseTags(name: string, header: string | readonly string[], isStrong: boolean): Precondition {
  const text = String(header).trim();
  if (text === "*") return "*";
  const versions: string[] = [];
  // A tag may contain a comma, and elements of a list may be empty (RFC 9110 §5.6.1.2).
  for (const part of text.match(/(?:[^,"]|"[^"]*"?)+/g) ?? [""]) {
    if (part.trim() === "" && text !== "") continue;
    const [, weak, tag] = TAG.exec(part.trim()) ?? [];
    if (tag === undefined)
      refuse([name], "malformed", `'${name}' must be '*', or quoted entity tags, separated by commas.`);
    if (weak === undefined || !isStrong) versions.push(tag.split(".", 1)[0] as string);
  }
  return versions;
}
