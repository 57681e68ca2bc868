import type { IncomingMessage } from "node:http";
import { BifocalError } from "../../errors/bifocal-error.ts";

/** The whole body of a Node request. Throws PAYLOAD_TOO_LARGE beyond `limit` bytes, without reading what is beyond. */
export function readBody(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    const headers = { "Accept-Encoding": "identity" };
    const message = "A compressed body is not read here. Send it as it is.";
    return Promise.reject(new BifocalError("UNSUPPORTED_MEDIA_TYPE", message, { headers }));
  }
  const length = request.headers["content-length"];
  const announced = length === undefined ? Number.NaN : Number(length);
  if (announced > limit) return Promise.reject(tooLarge(limit));
  if (request.readableEnded) {
    const message = "The body was read already. Mount Bifocal before what parses bodies, or let that keep `body`.";
    return Promise.reject(new Error(message));
  }
  return new Promise((resolve, reject) => {
    // What came in one piece with the head is there once Node's parser is through with it.
    process.nextTick(() => {
      const isThere = request.readableFlowing === null && request.readableLength === announced;
      const body = isThere ? (request.read() as Buffer | null) : null;
      if (body === null) {
        collect(request, limit, resolve, reject);
        return;
      }
      // Its end is still to come, and others may wait for that.
      request.resume();
      resolve(body);
    });
  });
}

function collect(
  request: IncomingMessage,
  limit: number,
  resolve: (body: Uint8Array) => void,
  reject: (error: BifocalError) => void,
): void {
  const chunks: Buffer[] = [];
  let length = 0;
  const onData = (chunk: Buffer): void => {
    length += chunk.length;
    if (length > limit) settle(() => reject(tooLarge(limit)));
    else chunks.push(chunk);
  };
  const onEnd = (): void => settle(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
  const onCut = (): void =>
    settle(() => reject(new BifocalError("BAD_REQUEST", "The body ended before its announced length.")));
  function settle(how: () => void): void {
    request.off("data", onData).off("end", onEnd).off("close", onCut).off("error", onCut);
    // What is beyond the limit is not read.
    if (!request.readableEnded) request.pause();
    how();
  }
  request.on("data", onData).on("end", onEnd).on("close", onCut).on("error", onCut);
}

function tooLarge(limit: number): BifocalError {
  return new BifocalError("PAYLOAD_TOO_LARGE", `A body may have ${limit} bytes.`, { headers: { Connection: "close" } });
}
