import ts from "typescript";

/** The size of the application of which the cost of types is measured. */
export const RESOURCES = 100;

export const CHECK_OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2023,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  allowImportingTsExtensions: true,
  customConditions: ["@bifocal/source"],
  skipLibCheck: true,
  types: ["node"],
};

/** An API whose resources have relations, rules and an action. */
export function serverText(): string {
  const resources = Array.from({ length: RESOURCES }, (_, n) => {
    const next = (n + 1) % RESOURCES;
    return `const r${n} = defineResource("r${n}", {
  fields: { id: z.uuid(), name: z.string(), price: z.number(), at: z.iso.datetime(), nextId: z.uuid() },
  generated: { id: uuid() },
  relations: { next: belongsTo("r${next}", "nextId"), previous: hasMany("r${(n + RESOURCES - 1) % RESOURCES}", "nextId") },
  access: { read: allow, create: signedIn, update: signedIn, delete: signedIn },
  filterable: ["name", "price"], sortable: ["price"], aggregatable: ["price"], groupable: ["at"],
  actions: { publish: { on: "item", input: z.object({ at: z.iso.date() }), access: signedIn, run: () => {} } },
});`;
  });
  const names = resources.map((_, n) => `r${n}`).join(", ");
  return `import { allow, belongsTo, defineApi, defineResource, hasMany, signedIn, uuid } from "@bifocal/core";
import { z } from "zod";
${resources.join("\n")}
export const api = defineApi({ resources: [${names}] });`;
}

/** A client that calls each resource. */
export function clientText(): string {
  const calls = Array.from({ length: RESOURCES }, (_, n) => {
    const select = "{ name: true, next: { select: { price: true, previous: true } } }";
    return `export const a${n} = await client.r${n}.list({ filter: { price: { gt: 1 } }, sort: ["-price"], select: ${select} });
await client.r${n}.create({ name: "a", price: 1, at: "b", nextId: "c" });
export const t${n}: string | undefined = a${n}.items[0]?.name;`;
  });
  return `import { createClient, restLens } from "@bifocal/client";
import type { api } from "./cost-server.ts";
const client = createClient<typeof api>({ url: "/", lens: restLens() });
${calls.join("\n")}`;
}
