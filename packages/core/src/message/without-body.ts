import type { HttpResponse } from "./message.ts";

/** Returns the response to `HEAD`: the headers of `GET`, without the content (RFC 9110 §9.3.2). */
export function withoutBody(response: HttpResponse): HttpResponse {
  const { body } = response;
  if (typeof body !== "string" && !(body instanceof Uint8Array)) return response;
  const length = { "Content-Length": String(Buffer.byteLength(body)) };
  return { ...response, headers: { ...response.headers, ...length }, body: null };
}
