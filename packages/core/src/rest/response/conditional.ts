import { hash } from "node:crypto";
import { BifocalError } from "../../errors/bifocal-error.ts";
import type { HttpRequest } from "../../message/message.ts";
import type { ResourceModel } from "../../model/model.ts";
import type { Precondition } from "../../operation/operation.ts";
import { failsVersion, lacksPrecondition, preconditionRequired, stale } from "../../operation/preconditions.ts";
import { refuse } from "../../errors/refuse.ts";

/** A tag of what is sent, for answers that are not the plain form of one row (RFC 9110 §8.8.3). */
export function hashTag(text: string | Uint8Array): string {
  return `"${digest(text)}"`;
}

/** A tag of a row in another form than the plain one: its version, and what is sent. */
export function formTag(version: string, body: string): string {
  return `"${version}.${digest(body)}"`;
}

function digest(text: string | Uint8Array): string {
  return hash("sha1", text, "base64url");
}

const TAG = /^(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;

/**
 * Looks at the preconditions of a read in the order of RFC 9110 §13.2.2; there are no dates to compare. True: the client
 * has this already. Throws PRECONDITION_FAILED where `If-Match` names other tags.
 */
export function isNotModified({ headers, method }: HttpRequest, tag: string): boolean {
  if (method !== "GET" && method !== "HEAD" && method !== "QUERY") return false;
  const ifMatch = headers["if-match"];
  if (ifMatch !== undefined && !matchesStrongly(String(ifMatch), tag)) {
    throw new BifocalError(
      "PRECONDITION_FAILED",
      "The row has none of the versions in 'If-Match'. Read it again, then retry.",
    );
  }
  const ifNoneMatch = headers["if-none-match"];
  if (ifNoneMatch === undefined) return false;
  // As clients send it, most of the time.
  if (ifNoneMatch === tag) return true;
  const text = String(ifNoneMatch).trim();
  return text === tag || text === "*" || splitTags(text).some((one) => one.replace(/^W\//, "") === tag);
}

/** A weak tag matches nothing (RFC 9110 §8.8.3.2). */
function matchesStrongly(header: string, tag: string): boolean {
  const text = header.trim();
  return text === "*" || splitTags(text).includes(tag);
}

function splitTags(text: string): readonly string[] {
  return text.match(/(W\/)?"[^"]*"/g) ?? [];
}

/** What a write depends on: `If-Match` and `If-None-Match` (RFC 9110 §13.1), as versions of rows. */
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

/** Refuses a change of a row that is in another version than the request means, or of which it means none where it must. */
export function refusePrecondition(request: HttpRequest, resource: ResourceModel, version: string): void {
  const conditions = parsePreconditions(request);
  if (lacksPrecondition(resource, conditions)) throw preconditionRequired(resource);
  if (failsVersion(conditions, version)) throw stale(resource);
}

/** Refuses a precondition where there is no one row that it could be about: many rows, a new one, a link. `If-Match: *` is met by what is there (RFC 9110 §13.1.1). */
export function refuseConditions({ headers }: HttpRequest): void {
  for (const name of ["If-Match", "If-None-Match"] as const) {
    const header = headers[name.toLowerCase()];
    if (header === undefined || (name === "If-Match" && String(header).trim() === "*")) continue;
    const message = `'${name}' applies only to a single row. Leave it out.`;
    throw new BifocalError("PRECONDITION_FAILED", message);
  }
}

/** What stands before the dot of a tag is the version; `If-Match` takes no weak ones. */
function parseTags(name: string, header: string | readonly string[], isStrong: boolean): Precondition {
  const text = String(header).trim();
  if (text === "*") return "*";
  const versions: string[] = [];
  // A comma may stand in a tag, and elements of a list may be empty (RFC 9110 §5.6.1.2).
  for (const part of text.match(/(?:[^,"]|"[^"]*"?)+/g) ?? [""]) {
    if (part.trim() === "" && text !== "") continue;
    const [, weak, tag] = TAG.exec(part.trim()) ?? [];
    if (tag === undefined)
      refuse([name], "malformed", `'${name}' must be '*', or quoted entity tags, separated by commas.`);
    if (weak === undefined || !isStrong) versions.push(tag.split(".", 1)[0] as string);
  }
  return versions;
}
