import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { allow, defineApi, defineResource, uuid } from "@bifocal/core";
import { jwt, oauth } from "@bifocal/jwt";
import { openTelemetry } from "@bifocal/opentelemetry";
import { accessTable } from "@bifocal/core/explain";
import { schemaChanges, storeCases } from "@bifocal/testing";
import { expressRouter } from "@bifocal/express";
import { bifocal } from "@bifocal/fastify";
import { graphiql } from "@bifocal/graphiql";
import { nodeHttp } from "@bifocal/node-http";
import { scalar } from "@bifocal/scalar";
import { swaggerUi } from "@bifocal/swagger-ui";
import createExpress from "express";
import fastify from "fastify";
import { version } from "graphql";
import { z } from "zod";

const note = defineResource("note", {
  fields: { id: z.uuid(), text: z.string() },
  generated: { id: uuid() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});
const issuer = "https://id.example.com";
const audience = "https://api.example.com";
const secret = "a secret of at least 32 characters";
const api = defineApi({
  resources: [note],
  auth: [
    jwt({ issuer, audience, algorithms: ["HS256"], keys: [{ secret }] }),
    oauth({ issuer: "https://other.example.com", resource: audience, algorithms: ["ES256"] }),
  ],
  docs: swaggerUi(),
  telemetry: openTelemetry(),
  graphql: { graphiql: graphiql() },
});

async function check(name, port) {
  const base = `http://127.0.0.1:${port}/api`;
  const created = await fetch(`${base}/notes`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text: name }),
  });
  if (created.status !== 201) throw new Error(`${name}: POST answered ${created.status} ${await created.text()}`);
  const claims = { iss: issuer, aud: audience, sub: "ann", exp: Math.floor(Date.now() / 1000) + 60 };
  const parts = [{ alg: "HS256" }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  const signature = createHmac("sha256", secret).update(parts.join(".")).digest("base64url");
  for (const [end, status] of [
    [signature, 200],
    [signature.toLowerCase(), 401],
  ]) {
    const headers = { authorization: `Bearer ${parts.join(".")}.${end}` };
    const answered = await fetch(`${base}/notes`, { headers });
    if (answered.status !== status) throw new Error(`${name}: the response to a token was ${answered.status}`);
  }
  const script = await fetch(`${base}/-/swagger-ui.js`);
  if (!(await script.text()).includes("SwaggerUIBundle")) throw new Error(`${name}: Swagger UI is not there`);
  const { body } = scalar().assets["scalar.js"];
  if (!Buffer.from(body()).includes("createApiReference")) throw new Error(`${name}: Scalar is not there`);
  const worker = await fetch(`${base}/-/graphiql-graphql.worker.js`);
  if ((await worker.text()).length < 100_000) throw new Error(`${name}: GraphiQL is not there`);
  const answer = await fetch(`${base}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: "{ notes { nodes { text } } }" }),
  });
  const { data } = await answer.json();
  if (!data.notes.nodes.some(({ text }) => text === name)) throw new Error(`${name}: the note is not there`);
}

async function main() {
  if (storeCases.length === 0) throw new Error("no store cases");
  const changes = await schemaChanges("type Query { a: Int b: Int }", "type Query { a: Int }");
  if (changes.map(({ path }) => path).join() !== "Query.b") throw new Error("schemaChanges finds no removed field");
  const { rows } = await accessTable(api, { nobody: null });
  if (rows.some(({ cells }) => cells[0].answer !== "yes")) throw new Error("rules are not understood");
  const plain = createServer(nodeHttp(api, { prefix: "/api" })).listen(0, "127.0.0.1");
  await new Promise((resolve) => plain.once("listening", resolve));
  await check("node-http", plain.address().port);
  const viaExpress = createExpress().use("/api", expressRouter(api)).listen(0, "127.0.0.1");
  await new Promise((resolve) => viaExpress.once("listening", resolve));
  await check("express", viaExpress.address().port);
  const app = fastify();
  await app.register(bifocal, { api, prefix: "/api" });
  await app.listen({ port: 0, host: "127.0.0.1" });
  await check("fastify", app.server.address().port);
  await app.close();
  plain.close();
  viaExpress.close();
  console.log("mjs consumer on graphql", version, "and Node", process.version, "ok");
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
