import fastify from "fastify";
import { addNote, byId, firstPage, type NoteInput } from "../by-hand.ts";
import { ready } from "../ready.ts";

const text = { type: "string" };
const bookSchema = {
  type: "object",
  properties: {
    id: text,
    title: text,
    authorId: text,
    year: { type: "integer" },
    price: { type: "number" },
    genre: text,
    summary: text,
  },
};

const app = fastify();
app.get<{ Params: { id: string } }>("/books/:id", { schema: { response: { 200: bookSchema } } }, (request, reply) => {
  const row = byId.get(request.params.id);
  return row ?? reply.code(404).send();
});
app.get<{ Querystring: { "page[size]": string } }>(
  "/books",
  { schema: { response: { 200: { type: "array", items: bookSchema } } } },
  (request) => firstPage(Number(request.query["page[size]"])),
);
const note = {
  title: { type: "string", minLength: 1, maxLength: 200 },
  year: { type: "integer" },
  price: { type: "number", minimum: 0 },
};
const noteInput = {
  type: "object",
  properties: note,
  required: ["title", "year", "price"],
  additionalProperties: false,
};
const noteRow = { type: "object", properties: { id: text, ...note } };
app.post<{ Body: NoteInput }>(
  "/notes",
  { schema: { body: noteInput, response: { 201: noteRow } } },
  (request, reply) => {
    const row = addNote(request.body);
    return reply.code(201).header("location", `/notes/${row.id}`).send(row);
  },
);
await app.listen({ port: 0, host: "127.0.0.1" });
ready(app.server);
