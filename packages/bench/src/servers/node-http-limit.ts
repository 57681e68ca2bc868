// The least JavaScript that gives the answer: what no library on node:http can beat.
import { createServer, type ServerResponse } from "node:http";
import { addNote, byId, firstPage, type NoteInput } from "../by-hand.ts";
import type { BookRow } from "../rows.ts";
import { ready } from "../ready.ts";

const server = createServer((request, response) => {
  if (request.method === "POST") {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      if (request.url === "/graphql") {
        const { query } = JSON.parse(text) as { query: string };
        const { id, title, year } = byId.get(query.split('"', 2)[1] as string) as BookRow;
        write(response, 200, JSON.stringify({ data: { book: { id, title, year } } }));
        return;
      }
      const input = JSON.parse(text) as NoteInput;
      if (typeof input.title !== "string" || typeof input.year !== "number" || !(input.price >= 0))
        response.writeHead(422).end();
      else write(response, 201, JSON.stringify(addNote(input)));
    });
    return;
  }
  const url = request.url as string;
  const body = JSON.stringify(url.startsWith("/books?") ? firstPage(50) : byId.get(url.slice("/books/".length)));
  write(response, 200, body);
}).listen(0, "127.0.0.1", () => ready(server));

function write(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  response.end(body);
}
