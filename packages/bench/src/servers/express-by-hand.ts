import createExpress from "express";
import { z } from "zod";
import { editionFields } from "../edition-fields.ts";
import { addEdition, type EditionInput } from "../editions.ts";
import { addNote, authorById, byId, firstPage } from "../by-hand.ts";
import { ready } from "../ready.ts";

const app = createExpress();
app.get("/books/:id", (request, response) => {
  const row = byId.get(request.params.id);
  if (row === undefined) response.status(404).end();
  else response.json(row);
});
app.get("/books", (request, response) => {
  response.json(firstPage(Number(new URL(request.url, "http://local").searchParams.get("page[size]"))));
});
const noteInput = z.strictObject({
  title: z.string().min(1).max(200),
  year: z.int32(),
  price: z.number().nonnegative(),
});
app.post("/notes", createExpress.json(), (request, response) => {
  const { data, error } = noteInput.safeParse(request.body);
  if (error !== undefined) {
    response.status(422).json(error.issues);
    return;
  }
  const row = addNote(data);
  response.status(201).location(`/notes/${row.id}`).json(row);
});
const editionInput = z.strictObject(editionFields);
app.post("/editions", createExpress.json(), (request, response) => {
  const { data, error } = editionInput.safeParse(request.body);
  if (error !== undefined) {
    response.status(422).json(error.issues);
    return;
  }
  if (!authorById.has(data.authorId)) {
    response.status(422).json({ message: "There is no such author." });
    return;
  }
  const row = addEdition(data satisfies EditionInput);
  response.status(201).location(`/editions/${row.id}`).json(row);
});
const server = app.listen(0, "127.0.0.1", () => ready(server));
