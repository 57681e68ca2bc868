// The least JavaScript that gives the answer: what no library on node:http can beat.
import { createServer } from "node:http";
import { byId, firstPage } from "../by-hand.ts";
import { ready } from "../ready.ts";

const server = createServer((request, response) => {
  const url = request.url as string;
  const body = JSON.stringify(url.startsWith("/books?") ? firstPage(50) : byId.get(url.slice("/books/".length)));
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  response.end(body);
}).listen(0, "127.0.0.1", () => ready(server));
