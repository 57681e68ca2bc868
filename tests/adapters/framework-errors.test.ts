import { bifocal } from "@bifocal/fastify";
import createFastify, { type FastifyInstance } from "fastify";
import { stripTypeScriptTypes } from "node:module";
import { compileFunction } from "node:vm";
import { afterEach, expect, test } from "vitest";
import { snippets } from "../docs/snippets.ts";
import { createNotes } from "./notes.ts";

let app: FastifyInstance | undefined;
afterEach(() => app?.close());

/** Runs the example of docs/adapters.md, and returns its app. */
function appOfDocs(): FastifyInstance {
  const text = snippets().find((one) => one.at.startsWith("docs/adapters.md") && one.text.includes("frameworkErrors"));
  const code = stripTypeScriptTypes((text?.text ?? "").replace(/^import .*$/m, ""));
  const run = compileFunction(`${code}; return app;`, ["fastify"]) as (
    fastify: typeof createFastify,
  ) => FastifyInstance;
  return run(createFastify);
}

test("the documented frameworkErrors turns a bad percent escape into a problem document", async () => {
  app = appOfDocs();
  await app.register(bifocal, { api: createNotes(), prefix: "/api" });
  for (const url of ["/api/notes/%ff", "/api/notes/%"]) {
    const { statusCode, headers, body } = await app.inject({ method: "GET", url });
    expect([statusCode, headers["content-type"]]).toEqual([400, expect.stringContaining("application/problem+json")]);
    const { body: own } = await app.inject({ method: "GET", url: "/api/notes?nothing=1" });
    const [problem, expected] = [JSON.parse(body), JSON.parse(own)] as Record<string, unknown>[];
    expect(problem).toMatchObject({ type: expected?.["type"], title: expected?.["title"], code: "BAD_REQUEST" });
  }
  expect((await app.inject({ method: "GET", url: "/api/notes/1" })).statusCode).toBe(200);
});

test("without it, Fastify responds in its own format", async () => {
  app = createFastify();
  await app.register(bifocal, { api: createNotes(), prefix: "/api" });
  const { statusCode, body } = await app.inject({ method: "GET", url: "/api/notes/%ff" });
  expect([statusCode, JSON.parse(body)]).toMatchObject([400, { code: "FST_ERR_BAD_URL" }]);
});
