import { createClient, graphqlLens } from "@bifocal/client";
import { expect, test } from "vitest";
import { serveLibrary, STORES } from "./hosts.ts";
import type { Library } from "./library.ts";

const [memory] = STORES;

async function requestsOf(
  persisted: object | undefined,
  run: (client: ReturnType<typeof createClient<Library>>) => Promise<unknown>,
) {
  const served = await serveLibrary(memory as (typeof STORES)[number], persisted && { persisted });
  const bodies: Record<string, unknown>[] = [];
  const documents: Record<string, string> = {};
  const counting: typeof fetch = async (input, init) => {
    if (typeof init?.body === "string") bodies.push(JSON.parse(init.body) as Record<string, unknown>);
    return fetch(input, init);
  };
  const lens = graphqlLens({ onDocument: (id, text) => void (documents[id] = text) });
  try {
    const result = await run(createClient<Library>({ url: served.url, lens, fetch: counting }));
    return { result, bodies, documents };
  } finally {
    await served.close();
  }
}

test("sends the text unless the server has persisted documents", async () => {
  const { bodies } = await requestsOf(undefined, async (client) => client.tag.list({ filter: { name: "x" } }));
  expect(bodies.map((body) => Object.keys(body))).toEqual([["query", "variables"]]);
});

test("registers a document once if the server learns documents", async () => {
  const { bodies } = await requestsOf({ automatic: true }, async (client) => {
    await client.tag.list({ filter: { name: "x" } });
    return client.tag.list({ filter: { name: "y" } });
  });
  expect(bodies.map((body) => Object.keys(body))).toEqual([
    ["documentId", "variables"],
    ["documentId", "query", "variables"],
    ["documentId", "variables"],
  ]);
});

test("sends only ids to a server that accepts no other documents", async () => {
  const call = async (client: ReturnType<typeof createClient<Library>>) =>
    (await client.tag.list({ filter: { name: "x" } })).items;
  const { documents } = await requestsOf({ automatic: true }, call);
  const { bodies, result } = await requestsOf({ only: true, documents }, call);
  expect([result, bodies.map((body) => Object.keys(body))]).toEqual([[], [["documentId", "variables"]]]);
  await expect(requestsOf({ only: true, documents }, async (client) => client.book.list())).rejects.toMatchObject({
    message: "PersistedQueryNotFound",
  });
});
