/** Asks without reading the global, which would load Node's streams of the web at start. */
const isSupported = "CompressionStream" in globalThis;

/**
 * Compresses bytes (RFC 1952), outside the event loop where the runtime has threads for it. Undefined on runtimes without
 * `CompressionStream`.
 */
export const gzip = isSupported ? compress : undefined;

async function compress(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const { readable, writable } = new CompressionStream("gzip");
  const writer = writable.getWriter();
  const written = writer.write(bytes).then(() => writer.close());
  const pieces: Uint8Array[] = [];
  for await (const piece of readable) pieces.push(piece);
  await written;
  return joined(pieces);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.byteLength, 0));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.byteLength;
  }
  return whole;
}
