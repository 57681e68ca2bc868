// Ten types as REST and as GraphQL, by hand: Fastify routes with schemas, and Mercurius with its JIT and loaders.
import fastify from "fastify";
import mercurius from "mercurius";
import { ready } from "../src/ready.ts";
import { CODE, createRow, type Input, nextOf, previousOf, type Row, rowsOf, TYPES } from "../src/ten/rows.ts";

interface Query {
  readonly obj: Row;
  readonly params: { readonly first: number };
}

const app = fastify();
const tables = new Map(TYPES.map((type) => [type as string, new Map(rowsOf(type).map((row) => [row.id, row]))]));
const upper = (type: string): string => `${type[0]?.toUpperCase()}${type.slice(1)}`;
const tableOf = (type: string): Map<string, Row> => tables.get(type) as Map<string, Row>;
const firstOf = (type: string, size: number): Row[] => [...tableOf(type).values().take(size)];
/** The rows of a type by the row that they refer to. */
const referring = new Map<string, Row[]>();
for (const type of TYPES) for (const row of tableOf(type).values()) refer(type, row);

function refer(type: string, row: Row): void {
  const key = `${type} ${row.nextId}`;
  const found = referring.get(key);
  if (found === undefined) referring.set(key, [row]);
  else found.push(row);
}

/** Returns undefined if the row that it refers to doesn't exist. */
function create(type: string, input: Input): Row | undefined {
  if (!tableOf(nextOf(type)).has(input.nextId)) return undefined;
  const row = createRow(input);
  tableOf(type).set(row.id, row);
  refer(type, row);
  return row;
}

const input = {
  title: { type: "string", minLength: 1, maxLength: 200 },
  year: { type: "integer" },
  price: { type: "number", minimum: 0 },
  inStock: { type: "boolean" },
  code: { type: "string", pattern: CODE.source },
  tags: { type: "array", items: { type: "string", maxLength: 40 }, maxItems: 10 },
  nextId: { type: "string", format: "uuid" },
};
const body = { type: "object", properties: input, required: Object.keys(input), additionalProperties: false };
const row = { type: "object", properties: { id: { type: "string" }, ...input } };

for (const type of TYPES) {
  app.get<{ Params: { id: string } }>(`/${type}s/:id`, { schema: { response: { 200: row } } }, (request, reply) => {
    const found = tableOf(type).get(request.params.id);
    return found ?? reply.code(404).send();
  });
  app.get<{ Querystring: { "page[size]": string } }>(
    `/${type}s`,
    { schema: { response: { 200: { type: "array", items: row } } } },
    (request) => firstOf(type, Number(request.query["page[size]"])),
  );
  app.post<{ Body: Input }>(`/${type}s`, { schema: { body, response: { 201: row } } }, (request, reply) => {
    const created = create(type, request.body);
    if (created === undefined) return reply.code(422).send();
    return reply.code(201).header("location", `/${type}s/${created.id}`).send(created);
  });
}

/** The checks that Bifocal does. The schema has checked the types. */
function problemOf({ title, price, code, tags }: Input): string | undefined {
  if (title.length < 1 || title.length > 200) return "title is 1 to 200 characters.";
  if (price < 0) return "price is at least 0.";
  if (!CODE.test(code)) return "code is two letters and four digits.";
  if (tags.length > 10 || tags.some((tag) => tag.length > 40)) return "There are at most 10 tags of 40 characters.";
  return undefined;
}

const fields = "title: String! year: Int! price: Float! inStock: Boolean! code: String! tags: [String!]! nextId: ID!";
const opts = { cache: false };
await app.register(mercurius, {
  schema: `
    ${TYPES.map(
      (type) => `
        type ${upper(type)} {
          id: ID! ${fields} next: ${upper(nextOf(type))} previous(first: Int!): ${upper(previousOf(type))}Connection!
        }
        type ${upper(type)}Connection { nodes: [${upper(type)}!]! }
        input Create${upper(type)}Input { ${fields} }`,
    ).join("")}
    type Query {
      ${TYPES.map((type) => `${type}(id: ID!): ${upper(type)} ${type}s(first: Int!): ${upper(type)}Connection!`).join(" ")}
    }
    type Mutation {
      ${TYPES.map((type) => `create${upper(type)}(input: Create${upper(type)}Input!): ${upper(type)}!`).join(" ")}
    }
  `,
  jit: 1,
  path: "/graphql",
  resolvers: {
    Query: Object.fromEntries(
      TYPES.flatMap((type) => [
        [type, (_: unknown, { id }: { id: string }) => tableOf(type).get(id)],
        [`${type}s`, (_: unknown, { first }: { first: number }) => ({ nodes: firstOf(type, first) })],
      ]),
    ),
    Mutation: Object.fromEntries(
      TYPES.map((type) => [
        `create${upper(type)}`,
        (_: unknown, given: { input: Input }) => {
          const created = problemOf(given.input) ?? create(type, given.input);
          if (typeof created === "object") return created;
          throw new mercurius.ErrorWithProps(created ?? "There is no such row.");
        },
      ]),
    ),
  },
  loaders: Object.fromEntries(
    TYPES.map((type) => [
      upper(type),
      {
        next: {
          loader: async (queries: readonly Query[]) => queries.map(({ obj }) => tableOf(nextOf(type)).get(obj.nextId)),
          opts,
        },
        previous: {
          loader: async (queries: readonly Query[]) =>
            queries.map(({ obj, params }) => ({
              nodes: (referring.get(`${previousOf(type)} ${obj.id}`) ?? []).slice(0, params.first),
            })),
          opts,
        },
      },
    ]),
  ),
});
await app.listen({ port: 0, host: "127.0.0.1" });
ready(app.server);
