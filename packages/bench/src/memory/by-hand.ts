import { createServer } from "node:http";
import { WebSocketServer } from "ws";
import { serve } from "./serve.ts";

/** The baseline: event streams of `node:http` and sockets of `ws`, without any API. */
const server = createServer((_request, response) => {
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
  response.write(":\n\n");
});
const sockets = new WebSocketServer({ server, path: "/graphql" });
// Responds to each message, because the parent waits for a response before it sends the next one.
sockets.on("connection", (socket) => socket.on("message", () => socket.send("{}")));
serve(server);
