import { BifocalError } from "../../errors/bifocal-error.ts";
import { refuseCompressed, tooLarge } from "../../message/json-body.ts";

/** Reads the whole body of a `Request`. Rejects with PAYLOAD_TOO_LARGE if it exceeds `limit` bytes, without reading the rest. */
export async function readFetchBody(
  request: Request,
  headers: Readonly<Record<string, string>>,
  limit: number,
): Promise<Uint8Array> {
  refuseCompressed(headers["content-encoding"]);
  if (Number(headers["content-length"]) > limit) throw tooLarge(limit);
  if (request.bodyUsed)
    throw new Error("The body has already been read. Pass the request to Bifocal before anything reads its body.");
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.byteLength;
      if (length > limit) {
        void reader.cancel().catch(() => {});
        throw tooLarge(limit);
      }
      chunks.push(value);
    }
  } catch (thrown) {
    if (thrown instanceof BifocalError) throw thrown;
    throw new BifocalError("BAD_REQUEST", "The body is shorter than its Content-Length.", { cause: thrown });
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks, length);
}
