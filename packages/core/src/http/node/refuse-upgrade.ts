import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type ErrorCode, STATUS } from "../../errors/codes.ts";

/** Answers an upgrade with an error and ends its connection, whether or not the client ends its side. */
export function refuseUpgrade(socket: Duplex, code: ErrorCode, headers: Readonly<Record<string, string>> = {}): void {
  const status = STATUS[code];
  const lines = Object.entries({ ...headers, Connection: "close", "Content-Length": "0" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  // Node has taken its own listeners off: an error that nobody listens to would end the process.
  socket.on("error", destroy).once("finish", destroy);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${head}\r\n`);
}

/** For errors of a socket that is somebody's no longer, or not yet. */
export function destroy(this: Duplex): void {
  this.destroy();
}
