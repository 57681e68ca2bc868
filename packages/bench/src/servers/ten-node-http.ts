// The least that a process with an HTTP server needs.
import { createServer } from "node:http";
import { ready } from "../ready.ts";
import { inputOf } from "../ten/rows.ts";

const server = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(inputOf("book", 1)));
}).listen(0, "127.0.0.1", () => ready(server));
