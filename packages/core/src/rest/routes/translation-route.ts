import { BifocalError } from "../../errors/bifocal-error.ts";
import type { Limits } from "../../limits/limits.ts";
import { bodyWithin, BodyMistake, mediaTypeOf, parseJsonBody } from "../../message/json-body.ts";
import { JSON_TYPE } from "../../message/json-type.ts";
import type { HttpRequest, HttpResponse } from "../../message/message.ts";
import type { Caller } from "../../operation/run.ts";
import type { JsonObject } from "../../util/json.ts";
import { JSON_UTF8, NOSNIFF } from "../response/headers.ts";

/** Translates a request that was sent as JSON. `base` is the URL at which the API is mounted. */
export type TranslateBody = (body: unknown, base: string, caller: Caller) => Promise<JsonObject>;

export const TRANSLATION_PATH = "/-/translate";
export const TRANSLATION_METHODS = ["POST", "OPTIONS"] as const;

const ALLOW = TRANSLATION_METHODS.join(", ");

/** Serves translations of requests to pages and tools for developers. */
export async function serveTranslation(
  translate: TranslateBody,
  request: HttpRequest,
  caller: Caller,
  limits: Limits,
): Promise<HttpResponse> {
  const { method } = request;
  if (method === "OPTIONS") return { status: 204, headers: { Allow: ALLOW, "Cache-Control": "no-store" }, body: null };
  if (method !== "POST")
    throw new BifocalError("METHOD_NOT_ALLOWED", `${method} is not supported here.`, { headers: { Allow: ALLOW } });
  // Other origins need a preflight to send JSON.
  if (mediaTypeOf(request.headers["content-type"]) !== JSON_TYPE) {
    const message = "The body must be application/json in UTF-8. Set 'Content-Type' accordingly.";
    throw new BifocalError("UNSUPPORTED_MEDIA_TYPE", message, { headers: { "Accept-Post": JSON_TYPE } });
  }
  const translated = await translate(await readBody(request, limits), baseOf(request), caller);
  return {
    status: 200,
    headers: { "Content-Type": JSON_UTF8, "Cache-Control": "no-store", ...NOSNIFF },
    body: JSON.stringify(translated),
  };
}

async function readBody(request: HttpRequest, { http }: Limits): Promise<unknown> {
  if (request.parsedBody !== undefined) return request.parsedBody;
  const bytes = await bodyWithin(request, http.bodyBytes);
  try {
    return parseJsonBody(bytes, http.jsonDepth, http.jsonKeys);
  } catch (thrown) {
    throw thrown instanceof BodyMistake ? new BifocalError("BAD_REQUEST", thrown.message) : thrown;
  }
}

/** Browsers send the origin with each POST request. It has the public scheme, also behind a proxy. */
function baseOf({ headers: { origin, host }, scheme, prefix }: HttpRequest): string {
  return `${typeof origin === "string" ? origin : `${scheme}://${String(host ?? "localhost")}`}${prefix}`;
}
