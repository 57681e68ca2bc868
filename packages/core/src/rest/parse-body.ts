import { BifocalError } from "../errors/bifocal-error.ts";
import type { HttpRequest } from "../http/message.ts";
import type { Limits } from "../operation/limits.ts";
import { BodyMistake, isTooDeep, mediaTypeOf, parseJsonBody } from "../util/json-body.ts";

export const JSON_TYPE = "application/json";
export const MERGE_PATCH = "application/merge-patch+json";

/** The JSON body of a request. Throws UNSUPPORTED_MEDIA_TYPE with what is taken, BAD_REQUEST, or PAYLOAD_TOO_LARGE. */
export async function parseBody(request: HttpRequest, limits: Limits, types: readonly string[]): Promise<unknown> {
  const type = mediaTypeOf(request.headers["content-type"]);
  if (type === undefined || !types.includes(type)) throw unsupported(request, types);
  if (request.parsedBody !== undefined) {
    if (isTooDeep(request.parsedBody, limits.jsonDepth))
      throw badRequest(`The body may nest ${limits.jsonDepth} levels deep.`);
    return request.parsedBody;
  }
  try {
    return parseJsonBody(await request.body(limits.bodyBytes), limits.jsonDepth);
  } catch (thrown) {
    throw thrown instanceof BodyMistake ? badRequest(thrown.message) : thrown;
  }
}

function unsupported({ method }: HttpRequest, types: readonly string[]): BifocalError {
  const header = method === "PATCH" ? "Accept-Patch" : "Accept-Post";
  const message = `The body is to be ${types.join(" or ")}, in UTF-8: say so in 'Content-Type'.`;
  return new BifocalError("UNSUPPORTED_MEDIA_TYPE", message, { headers: { [header]: types.join(", ") } });
}

function badRequest(message: string): BifocalError {
  return new BifocalError("BAD_REQUEST", message);
}
