import { createServer } from "node:http";
import type { AnyApi } from "@bifocal/core";
import { nodeHttp } from "@bifocal/node-http";
import { Wire } from "../feed.ts";

/** Sends a request, and returns the body of the response. */
export type Ask = (method: string, path: string, body?: unknown) => Promise<string>;

/** Serves an API over a connection within the process, one request after the other. Throws if a request fails. */
export function createAsker(api: AnyApi): Ask {
  let receive: (text: string) => void = () => {};
  const wire = new Wire((chunk) => receive(String(chunk)));
  createServer(nodeHttp(api)).emit("connection", wire);
  return async (method, path, body) => {
    const text = body === undefined ? "" : JSON.stringify(body);
    const lines = [`${method} ${path} HTTP/1.1`, "host: localhost", `content-length: ${Buffer.byteLength(text)}`];
    if (body !== undefined) lines.push("content-type: application/json");
    const answer = await new Promise<string>((resolve) => {
      receive = resolve;
      wire.push(`${lines.join("\r\n")}\r\n\r\n${text}`);
    });
    const [head = "", content = ""] = answer.split("\r\n\r\n");
    if (!head.startsWith("HTTP/1.1 2")) throw new Error(`${method} ${path}: ${answer}`);
    return content;
  };
}
