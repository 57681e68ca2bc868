import { ApolloServer } from "@apollo/server";
import { startStandaloneServer } from "@apollo/server/standalone";
import createFastify from "fastify";
import { createYoga } from "graphql-yoga";
import mercurius from "mercurius";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { contextOf, type createLibrary } from "./library.ts";

type Api = ReturnType<typeof createLibrary>["api"];
/** Serves the schema as the server's documentation recommends, and returns the URL. */
export type Serve = (api: Api) => Promise<string>;

async function yoga(api: Api): Promise<string> {
  const handler = createYoga({
    schema: api.graphql.schema,
    context: ({ request }) => contextOf(api, request.headers.get("x-user")),
  });
  const server = createServer((request, response) => void handler(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
}

async function apollo(api: Api): Promise<string> {
  const server = new ApolloServer({ schema: api.graphql.schema, includeStacktraceInErrorResponses: false });
  const { url } = await startStandaloneServer(server, {
    listen: { port: 0, host: "127.0.0.1" },
    context: async ({ req }) => contextOf(api, req.headers["x-user"]),
  });
  return url;
}

const withMercurius =
  (jit: number): Serve =>
  async (api) => {
    const app = createFastify();
    await app.register(mercurius, {
      schema: api.graphql.schema,
      context: (request) => contextOf(api, request.headers["x-user"]),
      jit,
    });
    return `${await app.listen({ port: 0, host: "127.0.0.1" })}/graphql`;
  };

export const SERVERS: Readonly<Record<string, Serve>> = {
  yoga,
  apollo,
  mercurius: withMercurius(0),
  "mercurius-jit": withMercurius(1),
};
