import { allow, defineApi, defineResource, deny } from "@bifocal/core";
import { fetchHandler } from "@bifocal/fetch";
import { nodeHttp } from "@bifocal/node-http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { z } from "zod";

const access = { read: allow, create: allow, update: allow, delete: allow };
const fields = { id: z.int32() };
const api = defineApi({
  resources: [
    defineResource("note", { fields, access }),
    // In neither the index nor the OpenAPI document.
    defineResource("ledger", { fields, access, operations: { rest: [], graphql: [] } }),
    defineResource("report", { fields, access: { ...access, read: deny }, operations: { rest: ["create"] } }),
  ],
  warnings: false,
});

async function detailOf(path: string, prefix: string): Promise<string> {
  const handle = fetchHandler(api, { prefix, address: () => "127.0.0.1" });
  const response = await handle(new Request(`http://host${path}`));
  expect(response.status).toBe(404);
  return ((await response.json()) as { readonly detail: string }).detail;
}

test.each([
  ["/note", "", "Did you mean '/notes'?"],
  ["/Notes/5", "", "Did you mean '/notes'?"],
  ["/api/note/5", "/api", "Did you mean '/api/notes'?"],
  ["/grapql", "", "Did you mean '/graphql'?"],
  ["/openapi", "", "GET / lists the collections."],
  ["/elsewhere", "", "GET / lists the collections."],
  ["/api/elsewhere", "/api", "GET /api/ lists the collections."],
  // The host mounted the API without its prefix.
  ["/api/notes", "", "Did you mean '/notes'?"],
  ["/api/v1/graphql", "", "Did you mean '/graphql'?"],
  ["/notes", "/api", "The API is at '/api'."],
])("names a path for %s of an API at '%s'", async (path, prefix, hint) => {
  expect(await detailOf(path, prefix)).toBe(`Nothing exists at this path. ${hint}`);
});

test.each(["/ledger", "/ledgers", "/report", "/x/ledgers", "/x/reports"])(
  "names no resource that the index doesn't list for %s",
  async (path) => {
    expect(await detailOf(path, "")).toBe("Nothing exists at this path. GET / lists the collections.");
  },
);

test("names the prefix on node:http", async () => {
  const server = createServer(nodeHttp(api, { prefix: "/api" }));
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/notes`);
  expect(await response.json()).toMatchObject({ detail: "Nothing exists at this path. The API is at '/api'." });
  server.close();
});
