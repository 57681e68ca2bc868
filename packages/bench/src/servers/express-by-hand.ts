import createExpress from "express";
import { byId, firstPage } from "../by-hand.ts";
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
const server = app.listen(0, "127.0.0.1", () => ready(server));
