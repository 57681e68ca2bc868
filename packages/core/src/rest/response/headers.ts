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
