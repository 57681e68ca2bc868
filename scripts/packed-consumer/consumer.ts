import { createServer } from "node:http";
import { allow, belongsTo, defineApi, defineResource, hasMany, memoryStore, uuid } from "@bifocal/core";
import { jwt, oauth } from "@bifocal/jwt";
import { rateLimit } from "@bifocal/core/rate-limit";
import { openTelemetry } from "@bifocal/opentelemetry";
import { expressRouter } from "@bifocal/express";
import { bifocal } from "@bifocal/fastify";
import { graphiql } from "@bifocal/graphiql";
import { nodeHttp } from "@bifocal/node-http";
import createExpress from "express";
import fastify from "fastify";
import { z } from "zod";

const author = defineResource("author", {
  fields: { id: z.uuid(), name: z.string() },
  generated: { id: uuid() },
  relations: { books: hasMany("book", "authorId") },
  access: { read: allow, create: allow, update: allow, delete: allow },
});
const book = defineResource("book", {
  fields: { id: z.uuid(), title: z.string(), authorId: z.uuid() },
  generated: { id: uuid() },
  relations: { author: belongsTo("author", "authorId") },
  access: { read: allow, create: allow, update: allow, delete: allow },
  sortable: ["title"],
});
const place = { issuer: "https://id.example.com", algorithms: ["ES256"] } as const;
export const tokens = jwt({
  ...place,
  audience: "api",
  jwksUrl: `${place.issuer}/jwks`,
  claims: z.object({ tenant: z.string() }),
});
export const tenant: string | undefined = tokens.claimsOf(null)?.tenant;
export const api = defineApi({
  resources: [author, book],
  store: memoryStore(),
  auth: [tokens, oauth({ ...place, resource: "https://api.example.com" })],
  rateLimit: rateLimit({ points: 1_000, duration: 60 }),
  telemetry: openTelemetry(),
  graphql: { graphiql: graphiql({ query: "{ books { totalCount } }" }) },
});

export async function titles(): Promise<{ title: string; author: { name: string } }[]> {
  const page = await api.local.book.list({
    sort: ["-title"],
    select: { title: true, author: { select: { name: true } } },
  });
  return page.items;
}

// @ts-expect-error 'price' is no field
void api.local.book.list({ select: { price: true } });

createServer(nodeHttp(api));
createExpress().use("/api", expressRouter(api));
fastify().register(bifocal, { api, prefix: "/api" });
