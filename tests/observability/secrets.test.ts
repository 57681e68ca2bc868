import { openTelemetry } from "@bifocal/opentelemetry";
import { startBookstore } from "@bifocal/example-bookstore/start";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { KEYS } from "../bookstore/stores.ts";
import { startSdk } from "./sdk.ts";

const sdk = startSdk();

/** Places where a caller can put a value that must stay private. */
const PLACES: readonly ((mark: string, number: number) => readonly [path: string, init: RequestInit])[] = [
  (mark) => [`/books?filter[title]=${mark}`, {}],
  (mark) => [`/books?filter[or][0][author.name][startsWith]=${mark}&fields=title`, {}],
  (_, number) => [`/books?filter[price][gt]=${number}`, {}],
  (mark) => [`/books?page[after]=${mark}`, {}],
  (mark) => [`/books?${mark}=1`, {}],
  (mark) => ["/books", { headers: { authorization: `Bearer ${mark}` } }],
  (mark) => ["/books", { headers: { cookie: mark, "x-anything": mark, accept: `text/csv;x=${mark}`, referer: mark } }],
  (mark) => ["/books", { headers: { "if-none-match": `"${mark}"`, prefer: mark } }],
  (mark) => ["/books", post({ title: mark, authorId: mark, price: mark })],
  (mark) => ["/books", post([{ title: mark }])],
  (mark) => ["/authors", { ...post({ name: mark, email: null, bio: mark, born: null }) }],
  (mark) => ["/books", { ...post({}), headers: { "content-type": mark } }],
  (mark) => ["/graphql", post({ query: `{ books(filter: { title: { eq: "${mark}" } }) { nodes { id } } }` })],
  (mark, number) => ["/graphql", post({ query: `{ books(first: ${number}, after: "${mark}") { nodes { id } } }` })],
  (mark) => [
    "/graphql",
    post({ query: `{ books(filter: { title: { in: ["a", """${mark}"""] } }) { nodes { id } } }` }),
  ],
  (mark) => ["/graphql", post({ query: `# ${mark}\n{ book(id: "${mark}") { id } }` })],
  (mark) => ["/graphql", post({ query: `query ($id: ID! = "${mark}") { book(id: $id) { id } }` })],
  (mark) => ["/graphql", post({ query: "query ($id: ID!) { book(id: $id) { id } }", variables: { id: mark } })],
  (mark) => ["/graphql", post({ query: "query ($id: Int) { books { nodes { id } } }", variables: { id: mark } })],
  (mark) => ["/graphql", post({ query: "{ __typename }", extensions: { traceparent: mark, mark } })],
  (mark) => ["/graphql", post({ query: `mutation { createAuthor(input: { name: "${mark}" }) { id } }` })],
  (mark) => ["/graphql", post({ query: `{ ${mark} }` })],
];

function post(body: unknown): RequestInit {
  const headers = { "content-type": "application/json", authorization: `Bearer ${KEYS.admin}` };
  return { method: "POST", headers, body: JSON.stringify(body) };
}

test("records no value of a caller in spans and measurements", async () => {
  const telemetry = openTelemetry({ documents: true });
  const { url, close } = await startBookstore({ adapter: "node-http", port: 0, keys: KEYS, telemetry });
  const marks = fc.stringMatching(/^zq[a-z]{12}$/);
  const numbers = fc.integer({ min: 7_000_001, max: 7_999_999 });
  await fc.assert(
    fc.asyncProperty(marks, numbers, fc.constantFrom(...PLACES), async (mark, number, place) => {
      const [path, init] = place(mark, number);
      await (await fetch(url + path, init)).text();
      const spans = await sdk.takeSpans();
      expect(spans.length).toBeGreaterThan(0);
      const written = spans.map(({ name, attributes, events, links, status }) => ({
        name,
        attributes,
        events,
        links: links.map((link) => link.attributes),
        status,
      }));
      const measured = await Promise.all(
        ["http.server.request.duration", "http.server.active_requests", "bifocal.operation.duration"].map((name) =>
          sdk.measured(name),
        ),
      );
      const text = JSON.stringify([written, measured.flat().map(({ attributes }) => attributes)]);
      expect(text).not.toContain(mark);
      expect(text).not.toContain(String(number));
      for (const key of Object.values(KEYS)) expect(text).not.toContain(key);
    }),
    { numRuns: 300 },
  );
  await close();
}, 60_000);
