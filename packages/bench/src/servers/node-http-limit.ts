// The minimal JavaScript that produces the response, which no library on node:http can beat. With `contract`, it sends
// the exact bytes of the wire contract, to show the cost of the headers.
import { hash } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import { addEdition, isEditionInput } from "../editions.ts";
import { addNote, authorById, byId, firstPage, type NoteInput } from "../by-hand.ts";
import type { BookRow } from "../rows.ts";
import { ready } from "../ready.ts";

const isContract = process.argv.includes("contract");

const server = createServer((request, response) => {
  if (request.method === "POST") {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      if (request.url === "/graphql") {
        const { query } = JSON.parse(text) as { query: string };
        write(response, 200, JSON.stringify({ data: query.includes("books(") ? booksWithAuthors() : bookIn(query) }));
        return;
      }
      if (request.url === "/editions") {
        const input: unknown = JSON.parse(text);
        if (!isEditionInput(input)) response.writeHead(422).end();
        else {
          const edition = addEdition(input);
          write(response, 201, JSON.stringify(edition), `/editions/${edition.id}`);
        }
        return;
      }
      const input = JSON.parse(text) as NoteInput;
      if (typeof input.title !== "string" || typeof input.year !== "number" || !(input.price >= 0))
        response.writeHead(422).end();
      else {
        const note = addNote(input);
        write(response, 201, JSON.stringify(note), `/notes/${note.id}`);
      }
    });
    return;
  }
  const url = request.url as string;
  const body = JSON.stringify(url.startsWith("/books?") ? firstPage(50) : byId.get(url.slice("/books/".length)));
  write(response, 200, body);
}).listen(0, "127.0.0.1", () => ready(server));

function bookIn(query: string): object {
  const { id, title, year } = byId.get(query.split('"', 2)[1] as string) as BookRow;
  return { book: { id, title, year } };
}

function booksWithAuthors(): object {
  const nodes = firstPage(50).map(({ id, title, authorId }) => ({
    id,
    title,
    author: { name: authorById.get(authorId)?.name },
  }));
  return { books: { nodes } };
}

function write(response: ServerResponse, status: number, body: string, location?: string): void {
  const length = Buffer.byteLength(body);
  if (isContract) {
    const headers = ["content-type", "application/json; charset=utf-8", "content-length", `${length}`];
    headers.push("etag", `"${hash("sha1", body, "base64url")}"`, "cache-control", "private, no-cache");
    headers.push("vary", "Accept", "x-content-type-options", "nosniff");
    if (location !== undefined) headers.push("location", location);
    response.writeHead(status, headers);
  } else response.writeHead(status, { "content-type": "application/json", "content-length": length });
  response.end(body);
}
