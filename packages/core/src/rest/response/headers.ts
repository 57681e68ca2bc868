import type { PageSummary } from "../../operation/visible-rows.ts";
import { hash } from "../../runtime/crypto.ts";
import { BifocalError } from "../../errors/bifocal-error.ts";
import type { HttpRequest, HttpResponse } from "../../message/message.ts";
import type { ResourceModel } from "../../model/model.ts";

export const JSON_UTF8 = "application/json; charset=utf-8";
export const PRIVATE = "private, no-cache";
/** Prevents browsers from guessing another media type. */
export const NOSNIFF = { "X-Content-Type-Options": "nosniff" } as const;

/**
 * Returns the `Cache-Control` that the resource declares, if the response is the same for all callers (RFC 9111
 * §5.2.2), and `no-store` if the client requests it.
 */
export function cacheControl({ headers }: HttpRequest, { cache }: ResourceModel, personal: boolean): string {
  const asked = headers["cache-control"];
  if (asked !== undefined && /(^|[\s,])no-store([\s,]|$)/i.test(String(asked))) return "no-store";
  if (cache?.noStore === true) return "no-store";
  if (cache === undefined || personal) return PRIVATE;
  const parts = [cache.public === true ? "public" : "private"];
  if (cache.maxAge !== undefined) parts.push(`max-age=${cache.maxAge}`);
  if (cache.staleWhileRevalidate !== undefined) parts.push(`stale-while-revalidate=${cache.staleWhileRevalidate}`);
  return parts.join(", ");
}

/** Returns the `Vary` header of a read. */
export function varyOf({ shared, personal }: Vary, isPersonal: boolean): string {
  return isPersonal ? personal : shared;
}

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
  return matchesWeakly(String(ifNoneMatch), tag);
}

function matchesWeakly(header: string, tag: string): boolean {
  const text = header.trim();
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

/**
 * Creates a 304 response with the headers that it must repeat (RFC 9110 §15.4.5), and those that are about the request.
 */
export function notModified(whole: Readonly<Record<string, string>>): HttpResponse {
  // Constant names are faster than a loop or rest properties, which would cost more than a 304 saves.
  const headers: Record<string, string> = {
    ETag: whole["ETag"] as string,
    "Cache-Control": whole["Cache-Control"] as string,
    Vary: whole["Vary"] as string,
  };
  if (whole["Link"] !== undefined) headers["Link"] = whole["Link"];
  if (whole["Page-Info"] !== undefined) headers["Page-Info"] = whole["Page-Info"];
  if (whole["Location"] !== undefined) headers["Location"] = whole["Location"];
  if (whole["Total-Count"] !== undefined) headers["Total-Count"] = whole["Total-Count"];
  if (whole["Preference-Applied"] !== undefined) headers["Preference-Applied"] = whole["Preference-Applied"];
  return { status: 304, headers, body: null };
}

/** Values of the `Vary` header (RFC 9110 §12.5.5). */
export interface Vary {
  /** For responses that are the same for all callers: only the format. */
  readonly shared: string;
  /** For all other responses: the credentials too. */
  readonly personal: string;
}

/** Returns `Total-Count`, a structured field (RFC 9651 §3.3.1): `10001;exact=?0` means at least 10,001 rows. */
export function totalCount({ total, totalIsExact }: Pick<PageSummary, "total" | "totalIsExact">): string {
  return `${total ?? 0}${totalIsExact === false ? ";exact=?0" : ""}`;
}
