import fastify from "fastify";
import { edition, editionInput, editionRow } from "../edition-schema.ts";
import { addEdition, type EditionInput, editions, etagOf } from "../editions.ts";
import { addNote, authorById, byId, firstPage, type NoteInput } from "../by-hand.ts";
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
// The number of notes at the start.
for (let n = Number(process.argv[2] ?? 0); n > 0; n--) addNote({ title: `Note ${n}`, year: 2026, price: n });
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
app.post<{ Body: EditionInput }>(
  "/editions",
  { schema: { body: editionInput, response: { 201: editionRow } } },
  (request, reply) => {
    if (!authorById.has(request.body.authorId)) return reply.code(422).send();
    const row = addEdition(request.body);
    return reply.code(201).header("location", `/editions/${row.id}`).header("etag", etagOf(1)).send(row);
  },
);
const editionChanges = { type: "object", properties: edition, additionalProperties: false };
app.patch<{ Params: { id: string }; Body: Partial<EditionInput> }>(
  "/editions/:id",
  { schema: { body: editionChanges, response: { 200: editionRow } } },
  (request, reply) => {
    const { params, body, headers } = request;
    const kept = editions.get(params.id);
    if (kept === undefined) return reply.code(404).send();
    const condition = headers["if-match"];
    if (condition !== undefined && condition !== etagOf(kept.version)) return reply.code(412).send();
    if (body.authorId !== undefined && !authorById.has(body.authorId)) return reply.code(422).send();
    const row = { ...kept.row, ...body };
    const version = kept.version + 1;
    editions.set(row.id, { row, version });
    return reply.header("etag", etagOf(version)).send(row);
  },
);
app.delete<{ Params: { id: string } }>(
  "/editions/:id",
  { schema: { response: { 200: editionRow } } },
  (request, reply) => {
    const kept = editions.get(request.params.id);
    if (kept === undefined) return reply.code(404).send();
    editions.delete(request.params.id);
    return reply.send(kept.row);
  },
);
await app.listen({ port: 0, host: "127.0.0.1" });
ready(app.server);
