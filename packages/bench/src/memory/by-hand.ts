import { createServer } from "node:http";
import { WebSocketServer } from "ws";
import { serve } from "./serve.ts";

/** The floor: event streams of `node:http` and sockets of `ws`, without any API behind them. */
const server = createServer((_request, response) => {
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
  response.write(":\n\n");
});
const sockets = new WebSocketServer({ server, path: "/graphql" });
// Each message gets a reply, as the parent waits for one before it sends the next.
sockets.on("connection", (socket) => socket.on("message", () => socket.send("{}")));
serve(server);
