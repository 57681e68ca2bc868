import type { IncomingMessage } from "node:http";
import { BifocalError } from "../../errors/bifocal-error.ts";
import { refuseCompressed, tooLarge } from "../../message/json-body.ts";
import type { MaybePromise } from "../../util/maybe-promise.ts";

/**
 * Reads the whole body of a Node request, synchronously if it is available. Throws PAYLOAD_TOO_LARGE if it exceeds
 * `limit` bytes, without reading the rest.
 */
export function readBody(request: IncomingMessage, limit: number): MaybePromise<Uint8Array> {
  refuseCompressed(request.headers["content-encoding"]);
  const length = request.headers["content-length"];
  const announced = length === undefined ? Number.NaN : Number(length);
  if (announced > limit) throw tooLarge(limit);
  if (request.readableEnded)
    throw new Error("The body has already been read. Mount Bifocal before body parsers, or make them keep `body`.");
  return (
    readWhole(request, announced) ??
    new Promise((resolve, reject) => {
      process.nextTick(() => {
        const body = readWhole(request, announced);
        if (body === undefined) collect(request, limit, resolve, reject);
        else resolve(body);
      });
    })
  );
}

/** Returns the body if it arrived in one piece with the head. */
function readWhole(request: IncomingMessage, announced: number): Buffer | undefined {
  // Reading an empty body would end the stream before anything listens for its end.
  if (announced === 0 || request.readableFlowing !== null || request.readableLength !== announced) return undefined;
  const body = request.read() as Buffer | null;
  // The stream has not ended yet, and other listeners may wait for its end.
  if (body !== null && !request.complete) request.resume();
  return body ?? undefined;
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
    settle(() => reject(new BifocalError("BAD_REQUEST", "The body is shorter than its Content-Length.")));
  // The client has gone while something else was awaited. Its connection emits no more events.
  if (request.destroyed) return onCut();
  function settle(how: () => void): void {
    request.off("data", onData).off("end", onEnd).off("close", onCut).off("error", onCut);
    // The rest of a body above the limit isn't read.
    if (!request.readableEnded) request.pause();
    how();
  }
  request.on("data", onData).on("end", onEnd).on("close", onCut).on("error", onCut);
}
