import type { Duplex } from "node:stream";
import { type ErrorCode, ERROR_STATUS } from "../../errors/codes.ts";
import { nodeHttpModule } from "./node-http-module.ts";

/** Responds to an upgrade with an error and ends the connection, even if the client keeps its side open. */
export function refuseUpgrade(socket: Duplex, code: ErrorCode, headers: Readonly<Record<string, string>> = {}): void {
  const status = ERROR_STATUS[code];
  const lines = Object.entries({ ...headers, Connection: "close", "Content-Length": "0" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  // Node has removed its own listeners, and an unhandled error would end the process.
  socket.on("error", destroy).once("finish", destroy);
  socket.end(`HTTP/1.1 ${status} ${nodeHttpModule().STATUS_CODES[status] ?? ""}\r\n${head}\r\n`);
}

/** Destroys a socket on errors while nothing else handles them. */
export function destroy(this: Duplex): void {
  this.destroy();
}
