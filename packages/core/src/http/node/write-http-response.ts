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
  if (!isStream(body)) {
    writeWhole(status, headers, body, response);
    return;
  }
  response.writeHead(status, headers);
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

function writeWhole(
  status: number,
  headers: HttpResponse["headers"],
  body: string | Uint8Array | null,
  response: ServerResponse,
): void {
  if (body === null) response.writeHead(status, headers).end();
  else {
    const length = typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
    response.writeHead(status, { ...headers, "Content-Length": length });
    // Text without any character beyond ASCII is the same bytes in Latin-1, which Node copies without looking.
    response.end(body, length === body.length ? "latin1" : "utf8");
  }
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
