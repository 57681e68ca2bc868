// graphql-http has no caches of its own, so it gets the caches that every other contender has.
import { createServer } from "node:http";
import { type DocumentNode, type GraphQLError, parse, validate } from "graphql";
import { createHandler } from "graphql-http/lib/use/http";
import { ready } from "../src/ready.ts";
import { createKnown } from "./known.ts";
import { createLoaders, createSchema } from "./schema.ts";

const documents = createKnown<DocumentNode>();
const findings = new WeakMap<DocumentNode, readonly GraphQLError[]>();

const handler = createHandler({
  schema: createSchema(),
  context: () => ({ ...createLoaders() }),
  parse: (source, options) => {
    const text = typeof source === "string" ? source : source.body;
    const known = documents.get(text);
    if (known !== undefined) return known;
    const document = parse(source, options);
    documents.set(text, document);
    return document;
  },
  validate: (schema, document, rules) => {
    const found = findings.get(document) ?? validate(schema, document, rules);
    findings.set(document, found);
    return found;
  },
});
const server = createServer((request, response) => void handler(request, response)).listen(0, "127.0.0.1", () =>
  ready(server),
);
