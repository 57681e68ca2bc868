import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";

/** A WebSocket that only counts received bytes, because parsing them would dominate the measurement. */
export interface RawSocket {
  readonly bytes: () => number;
  readonly close: () => void;
}

/** Opens a socket. Sends each text once the client has received as many messages as precede it. */
export async function openRawSocket(port: number, texts: readonly string[]): Promise<RawSocket> {
  const socket = connect(port, "127.0.0.1");
  let bytes = 0;
  socket.on("data", (chunk) => {
    bytes += chunk.length;
  });
  socket.write(
    [
      "GET /graphql HTTP/1.1",
      "Host: 127.0.0.1",
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}`,
      "Sec-WebSocket-Protocol: graphql-transport-ws",
      "\r\n",
    ].join("\r\n"),
  );
  for (const text of texts) {
    await answered(socket);
    socket.write(frame(text));
  }
  return { bytes: () => bytes, close: () => socket.destroy() };
}

function answered(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("data", () => resolve()).once("error", reject);
  });
}

/** Creates a masked text frame (RFC 6455 §5.2) of less than 64 KiB. */
function frame(text: string): Buffer {
  const payload = Buffer.from(text);
  const header =
    payload.length < 126
      ? Buffer.from([0x81, 0x80 | payload.length])
      : Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 0xff]);
  // The mask is all zeros, which leaves the payload unchanged.
  return Buffer.concat([header, Buffer.alloc(4), payload]);
}
