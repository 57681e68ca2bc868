import { hash } from "node:crypto";
import { BifocalError } from "../../errors/bifocal-error.ts";
import type { HttpRequest } from "../../message/message.ts";
import type { ResourceModel } from "../../model/model.ts";
import type { Precondition } from "../../operation/operation.ts";
import { failsVersion, lacksPrecondition, preconditionRequired, stale } from "../../operation/preconditions.ts";
import { refuse } from "../../errors/refuse.ts";

/** Creates the entity tag of a response that is not the plain form of one row (RFC 9110 §8.8.3). */
export function hashTag(text: string | Uint8Array): string {
  return `"${digest(text)}"`;
}

/** Creates the entity tag of a row in another form: its version, and a digest of the body. */
export function formTag(version: string, body: string): string {
  return `"${version}.${digest(body)}"`;
}

function digest(text: string | Uint8Array): string {
  return hash("sha1", text, "base64url");
}

const TAG = /^(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;

/**
 * Evaluates the preconditions of a read in the order of RFC 9110 §13.2.2; there are no dates to compare. Returns true
 * if the client has the current response. Throws PRECONDITION_FAILED if `If-Match` contains only other tags.
 */
export function isNotModified({ headers, method }: HttpRequest, tag: string): boolean {
  if (method !== "GET" && method !== "HEAD" && method !== "QUERY") return false;
  const ifMatch = headers["if-match"];
  if (ifMatch !== undefined && !matchesStrongly(String(ifMatch), tag)) {
    throw new BifocalError(
      "PRECONDITION_FAILED",
      "The row's version doesn't match 'If-Match'. Read it again, then retry.",
    );
  }
  const ifNoneMatch = headers["if-none-match"];
  if (ifNoneMatch === undefined) return false;
  // The most frequent form.
  if (ifNoneMatch === tag) return true;
  const text = String(ifNoneMatch).trim();
  return text === tag || text === "*" || splitTags(text).some((one) => one.replace(/^W\//, "") === tag);
}

/** A weak tag never matches (RFC 9110 §8.8.3.2). */
function matchesStrongly(header: string, tag: string): boolean {
  const text = header.trim();
  return text === "*" || splitTags(text).includes(tag);
}

function splitTags(text: string): readonly string[] {
  return text.match(/(W\/)?"[^"]*"/g) ?? [];
}

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

/** Rejects a write if the row's version doesn't satisfy the preconditions, or if a required precondition is missing. */
export function refusePrecondition(request: HttpRequest, resource: ResourceModel, version: string): void {
  const conditions = parsePreconditions(request);
  if (lacksPrecondition(resource, conditions)) throw preconditionRequired(resource);
  if (failsVersion(conditions, version)) throw stale(resource);
}

/**
 * Rejects preconditions if the request is not about one existing row: many rows, a new row, a link. `If-Match: *` is
 * always satisfied (RFC 9110 §13.1.1).
 */
export function refuseConditions({ headers }: HttpRequest): void {
  for (const name of ["If-Match", "If-None-Match"] as const) {
    const header = headers[name.toLowerCase()];
    if (header === undefined || (name === "If-Match" && String(header).trim() === "*")) continue;
    const message = `'${name}' applies only to a single row. Leave it out.`;
    throw new BifocalError("PRECONDITION_FAILED", message);
  }
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
