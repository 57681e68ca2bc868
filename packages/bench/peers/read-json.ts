import type { IncomingMessage } from "node:http";

/** Reads the body of a request as JSON, with minimal code. */
export function readJson(request: IncomingMessage, done: (body: unknown) => void | Promise<void>): void {
  let text = "";
  request.setEncoding("utf8");
  request.on("data", (chunk: string) => {
    text += chunk;
  });
  request.on("end", () => void done(JSON.parse(text)));
}
