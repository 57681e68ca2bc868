import { fetchHandler } from "@bifocal/fetch";
import { nodeHttp } from "@bifocal/node-http";
import { type HttpBindings, serve } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { createServed } from "./served.ts";

const { api, options } = createServed();
const { prefix } = options;
const handler = fetchHandler<[Context<{ Bindings: HttpBindings }>]>(api, {
  address: (_request, context) => context.env.incoming.socket.remoteAddress,
  ...options,
});
const app = new Hono<{ Bindings: HttpBindings }>();
app.all(`${prefix}/*`, (context) => handler(context.req.raw, context));
app.all("/endless/*", (context) => handler(context.req.raw, context));
app.all(prefix, (context) => handler(context.req.raw, context));
const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => console.log(port));
// Hono passes no upgrades on, so they are taken from the server of Node.
nodeHttp(api, { prefix }).attach(server);
process.once("SIGTERM", () => void api.close());
