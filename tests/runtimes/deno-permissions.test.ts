import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MISSING } from "./host.ts";

const DENO = resolve(import.meta.dirname, "hosts/node_modules/.bin/deno");

/** Prints the status of a list, whether introspection succeeds, and whether GraphiQL has the headers of a demo. */
const APP = `
import { allow, defineApi, defineResource, silentLog } from "@bifocal/core";
import { fetchHandler } from "@bifocal/fetch";
import { graphiql } from "@bifocal/graphiql";
import { z } from "zod";

const access = { read: allow, create: allow, update: allow, delete: allow };
const note = defineResource("note", { fields: { id: z.int() }, access });
const api = defineApi({
  resources: [note],
  graphql: { graphiql: graphiql({ headers: { "X-API-Key": "demo" } }) },
  developerPages: true,
  warnings: false,
  log: silentLog,
});
const handler = fetchHandler(api, { address: () => "127.0.0.1" });
const list = await handler(new Request("http://127.0.0.1/notes"));
const query = "{ __schema { queryType { name } } }";
const asked = await handler(new Request("http://127.0.0.1/graphql?" + new URLSearchParams({ query })));
const { errors } = await asked.json();
const page = await handler(new Request("http://127.0.0.1/graphql", { headers: { accept: "text/html" } }));
const html = await page.text();
console.log(JSON.stringify([list.status, errors === undefined, page.status, html.includes("X-API-Key")]));
`;

describe.skipIf(MISSING !== undefined)(`Deno ${MISSING ?? ""}`, () => {
  let folder: string;
  let file: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "bifocal-deno-"));
    file = join(folder, "app.mjs");
    await build({
      stdin: { contents: APP, resolveDir: import.meta.dirname },
      outfile: file,
      bundle: true,
      format: "esm",
      platform: "node",
      conditions: ["@bifocal/source"],
      external: ["node:*", "ws"],
      logLevel: "error",
    });
  });
  afterAll(() => rm(folder, { recursive: true }));

  test.each([
    ["of production without permissions", [], [200, false, 200, false]],
    ["of NODE_ENV with the permission to read it", ["--allow-env=NODE_ENV"], [200, true, 200, true]],
  ])("runs an API with the defaults %s", async (_, permissions, expected) => {
    const { stdout } = await promisify(execFile)(DENO, ["run", "--no-prompt", ...permissions, file], {
      env: { ...process.env, NODE_ENV: "development" },
      timeout: 60_000,
    });
    expect(JSON.parse(stdout)).toEqual(expected);
  });
});
