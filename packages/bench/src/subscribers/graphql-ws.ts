import { buildSchema } from "graphql";
import { useServer } from "graphql-ws/use/ws";
import { createServer } from "node:http";
import { WebSocketServer } from "ws";
import { serve } from "./serve.ts";

const schema = buildSchema(`
  type Book { id: ID!, title: String!, price: Float! }
  type Query { book: Book }
  type Subscription { bookUpdated: Book! }
`);

type Event = { readonly bookUpdated: object };
const waiting = new Set<(event: Event) => void>();

/** As in a typical service: each subscriber awaits the next event. */
async function* events(): AsyncGenerator<Event> {
  for (;;) yield await new Promise<Event>((resolve) => waiting.add(resolve));
}

const server = createServer();
const sockets = new WebSocketServer({ server, path: "/graphql" });
useServer({ schema, roots: { subscription: { bookUpdated: events } } }, sockets);
let price = 0;
serve(server, async () => {
  const listeners = [...waiting];
  waiting.clear();
  for (const listen of listeners) listen({ bookUpdated: { id: 1, title: "A title of common length", price: ++price } });
});
