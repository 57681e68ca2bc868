import { createServer } from "node:http";
import { useGraphQlJit } from "@envelop/graphql-jit";
import { createYoga } from "graphql-yoga";
import { ready } from "../src/ready.ts";
import { createLoaders, createSchema } from "./schema.ts";

const yoga = createYoga({
  schema: createSchema(),
  context: createLoaders,
  logging: false,
  graphiql: false,
  landingPage: false,
  cors: false,
  multipart: false,
  plugins: process.argv[2] === "jit" ? [useGraphQlJit()] : [],
});
const server = createServer((request, response) => void yoga(request, response)).listen(0, "127.0.0.1", () =>
  ready(server),
);
