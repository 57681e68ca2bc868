import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLibrary, serve } from "./library.ts";
import { TRANSPORTS } from "./transports.ts";

const library = createLibrary({ batching: true, introspection: false });
let served: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  served = await serve(library);
});
afterAll(() => served.close());

describe.each(Object.entries(TRANSPORTS))("over %s, errors suggest no names", (_, ask) => {
  test.each([
    ["a field", { query: "{ book(id: 1) { titel } }" }],
    ["introspection", { query: '{ __type(name: "Book") { fields { name } } }' }],
    [
      "a field of an input in a variable",
      {
        query: "query ($filter: BookFilter) { books(filter: $filter) { nodes { id } } }",
        variables: { filter: { titel: { eq: "Emma" } } },
      },
    ],
  ])("%s", async (__, asked) => {
    const { data, errors = [] } = await ask(served.url, asked);
    expect(data ?? null).toBeNull();
    expect(errors.length).toBeGreaterThan(0);
    expect(JSON.stringify(errors)).not.toMatch(/did you mean|\btitle\b/i);
  });
});
