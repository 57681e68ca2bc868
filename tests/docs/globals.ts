// Declarations that the examples of the documentation use without defining them.
import * as core from "@bifocal/core";
import createExpress from "express";
import createFastify from "fastify";
import type { createServer as create } from "node:http";
import { z as zod } from "zod";

const all = { read: core.allow, create: core.allow, update: core.allow, delete: core.allow };
const authors = core.defineResource("author", {
  fields: { id: zod.uuid(), name: zod.string(), email: zod.email(), bio: zod.string().nullable() },
  generated: { id: core.uuid() },
  relations: { books: core.hasMany("book", "authorId") },
  access: all,
  filterable: ["name"],
  sortable: ["name"],
});
const books = core.defineResource("book", {
  fields: { id: zod.uuid(), title: zod.string(), price: zod.number(), authorId: zod.uuid() },
  generated: { id: core.uuid() },
  relations: { author: core.belongsTo("author", "authorId") },
  access: all,
  filterable: ["title", "price"],
  sortable: ["price"],
  search: ["title"],
});
const whole = core.defineApi({ resources: [authors, books] });
const application = createExpress();
const fastify = createFastify();

declare global {
  const z: typeof zod;
  const author: typeof authors;
  const book: typeof books;
  const api: typeof whole;
  const app: typeof application;
  const server: typeof fastify;
  const createServer: typeof create;
  const allow: typeof core.allow;
  const deny: typeof core.deny;
  const signedIn: typeof core.signedIn;
  const owner: typeof core.owner;
  const allOf: typeof core.allOf;
  const anyOf: typeof core.anyOf;
  const unless: typeof core.unless;
  const through: typeof core.through;
  const hasRole: typeof core.hasRole;
  const uuid: typeof core.uuid;
  const now: typeof core.now;
  const principalId: typeof core.principalId;
  const sequence: typeof core.sequence;
  const updatedNow: typeof core.updatedNow;
  const belongsTo: typeof core.belongsTo;
  const hasMany: typeof core.hasMany;
  const manyToMany: typeof core.manyToMany;
  const defineResource: typeof core.defineResource;
  const defineApi: typeof core.defineApi;
  const apiKeys: typeof core.apiKeys;
  const apiKeyResource: typeof core.apiKeyResource;
  const createApiKey: typeof core.createApiKey;
  const listApiKeys: typeof core.listApiKeys;
  const rotateApiKey: typeof core.rotateApiKey;
  const revokeApiKey: typeof core.revokeApiKey;
  const principalFrom: typeof core.principalFrom;
  const hasScope: typeof core.hasScope;
  const users: { find(id: string): Promise<{ id: string; roles: string[]; disabled: boolean } | undefined> };
  const memoryStore: typeof core.memoryStore;
  const functionStore: typeof core.functionStore;
  const BifocalError: typeof core.BifocalError;
  type Authenticator = core.Authenticator;
  type Principal = core.Principal;
}
