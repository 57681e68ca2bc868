// Apollo Server on plain node:http, as an integration uses it. Its standalone server would add body-parser and CORS.
import { createServer } from "node:http";
import { ApolloServer, HeaderMap } from "@apollo/server";
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from "@apollo/server/plugin/disabled";
import { ready } from "../src/ready.ts";
import { readJson } from "./read-json.ts";
import { createLoaders, createSchema, type Loaders } from "./schema.ts";

const apollo = new ApolloServer<Loaders>({
  schema: createSchema(),
  introspection: false,
  csrfPrevention: false,
  persistedQueries: false,
  stopOnTerminationSignals: false,
  plugins: [ApolloServerPluginCacheControlDisabled(), ApolloServerPluginUsageReportingDisabled()],
});
await apollo.start();

const server = createServer((request, response) => {
  readJson(request, async (body) => {
    const headers = new HeaderMap();
    for (const [name, value] of Object.entries(request.headers))
      if (typeof value === "string") headers.set(name, value);
    const answer = await apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method: "POST", headers, search: "", body },
      context: async () => createLoaders(),
    });
    if (answer.body.kind !== "complete") throw new Error("An answer in parts.");
    response.writeHead(answer.status ?? 200, Object.fromEntries(answer.headers)).end(answer.body.string);
  });
}).listen(0, "127.0.0.1", () => ready(server));
