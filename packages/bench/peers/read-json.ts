import type { IncomingMessage } from "node:http";

/** The body of a request as JSON, by the least that node:http needs. */
export function readJson(request: IncomingMessage, done: (body: unknown) => void | Promise<void>): void {
  let text = "";
  request.setEncoding("utf8");
  request.on("data", (chunk: string) => {
    text += chunk;
  });
  request.on("end", () => void done(JSON.parse(text)));
}
