import type { ServerResponse } from "node:http";
import type { HttpResponse } from "../message.ts";

/** Writes the neutral response; a stream piece by piece, at the pace of the client, until it goes. */
export async function writeHttpResponse(
  { status, headers, body }: HttpResponse,
  response: ServerResponse,
): Promise<void> {
  if (response.destroyed) {
    if (isStream(body)) await body[Symbol.asyncIterator]().return?.();
    return;
  }
  response.writeHead(status, bodyLength(headers, body));
  if (!isStream(body)) {
    response.end(body ?? undefined);
    return;
  }
  const iterator = body[Symbol.asyncIterator]();
  response.once("close", () => void iterator.return?.());
  response.flushHeaders();
  try {
    for (;;) {
      const { done, value } = await iterator.next();
      if (done === true || response.destroyed) break;
      if (!response.write(value)) await drained(response);
    }
  } finally {
    response.end();
  }
}

export function isStream(body: HttpResponse["body"]): body is AsyncIterable<string> {
  return body !== null && typeof body !== "string" && !(body instanceof Uint8Array);
}

function bodyLength(headers: HttpResponse["headers"], body: HttpResponse["body"]): Record<string, string | number> {
  if (body === null || isStream(body)) return { ...headers };
  return { ...headers, "Content-Length": typeof body === "string" ? Buffer.byteLength(body) : body.byteLength };
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    response.on("drain", done).on("close", done);
  });
}
