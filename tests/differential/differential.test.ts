import fc from "fast-check";
import { expect, test } from "vitest";
import { createLibrary } from "../equivalence/library.ts";
import { documents } from "./document.ts";
import { naiveServer } from "./naive.ts";

const { api, data } = createLibrary();
const RUNS = Number(process.env["DIFFERENTIAL_RUNS"] ?? 400);
const askNaive = naiveServer(api.graphql.schema, data);

async function askBifocal(query: string, variables: object): Promise<string> {
  const body = new TextEncoder().encode(JSON.stringify({ query, variables }));
  const response = await api.handle({
    method: "POST",
    path: "/graphql",
    query: "",
    prefix: "",
    // An admin: the naive server knows no rules.
    headers: { "content-type": "application/json", authorization: "Bearer a" },
    body: () => Promise.resolve(body),
    signal: new AbortController().signal,
    raw: undefined,
  });
  return response?.body as string;
}

test("a document is answered as graphql-js answers it over naive resolvers, to the byte", async () => {
  let rows = 0;
  await fc.assert(
    fc.asyncProperty(documents(api.graphql.schema), async ({ query, variables }) => {
      const naive = JSON.stringify(await askNaive(query, variables));
      const ours = await askBifocal(query, variables);
      expect({ query, answer: ours }).toEqual({ query, answer: naive });
      expect(naive).not.toContain('"errors"');
      rows += naive.length;
    }),
    { numRuns: RUNS },
  );
  // A generator that only asks for what is not there would prove nothing.
  expect(rows / RUNS).toBeGreaterThan(300);
});
