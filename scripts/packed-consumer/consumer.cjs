const { createServer } = require("node:http");
const { allow, defineApi, defineResource, uuid } = require("@bifocal/core");
const { openTelemetry } = require("@bifocal/core/opentelemetry");
const { storeCases } = require("@bifocal/core/testing");
const { express } = require("@bifocal/express");
const { bifocal } = require("@bifocal/fastify");
const { graphiql } = require("@bifocal/graphiql");
const { nodeHttp } = require("@bifocal/node-http");
const { swaggerUi } = require("@bifocal/swagger-ui");
const createExpress = require("express");
const fastify = require("fastify").default;
const { version } = require("graphql");
const { z } = require("zod");

const note = defineResource("note", {
  fields: { id: z.uuid(), text: z.string() },
  generated: { id: uuid() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});
const api = defineApi({
  resources: [note],
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
  const script = await fetch(`${base}/-/swagger-ui.js`);
  if (!(await script.text()).includes("SwaggerUIBundle")) throw new Error(`${name}: Swagger UI is not there`);
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
  const plain = createServer(nodeHttp(api, { prefix: "/api" })).listen(0, "127.0.0.1");
  await new Promise((resolve) => plain.once("listening", resolve));
  await check("node-http", plain.address().port);
  const viaExpress = createExpress().use("/api", express(api)).listen(0, "127.0.0.1");
  await new Promise((resolve) => viaExpress.once("listening", resolve));
  await check("express", viaExpress.address().port);
  const app = fastify();
  await app.register(bifocal, { api, prefix: "/api" });
  await app.listen({ port: 0, host: "127.0.0.1" });
  await check("fastify", app.server.address().port);
  await app.close();
  plain.close();
  viaExpress.close();
  console.log("cjs consumer on graphql", version, "and Node", process.version, "ok");
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
