import { bunSockets, type BunWebSocketHandler, fetchHandler } from "@bifocal/fetch";
import { createServed } from "./served.ts";

interface BunServer {
  readonly upgrade: (request: Request, options: unknown) => boolean;
}

declare const Bun: {
  readonly serve: (options: {
    readonly port: number;
    readonly hostname: string;
    readonly fetch: (request: Request, server: BunServer) => Response | Promise<Response>;
    readonly websocket: BunWebSocketHandler;
  }) => { readonly port: number };
};

const { api, options } = createServed();
const sockets = bunSockets(api);
const handler = fetchHandler(api, { ...options, sockets });
const { port } = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: handler,
  websocket: sockets.websocket,
});
console.log(port);
process.once("SIGTERM", () => void api.close());
