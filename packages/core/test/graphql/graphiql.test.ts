import { expect, test } from "vitest";
import { allow, defineApi, defineResource, deny } from "../../src/index.ts";
import type { GraphiqlPage } from "../../src/pages.ts";
import { z } from "zod";
import { answerText } from "../answer.ts";

const note = defineResource("note", {
  fields: { id: z.int32(), text: z.string() },
  access: { read: allow, create: deny, update: deny, delete: deny },
});
const graphiql: GraphiqlPage = {
  page: ({ title, endpoint, assets }) => `${title} ${endpoint} ${assets}`,
  headers: { "Content-Security-Policy": "default-src 'none'" },
  assets: { "editor.js": { contentType: "text/javascript", body: () => "start()" } },
};
const api = defineApi({ info: { title: "Notes" }, resources: [note], graphql: { graphiql } });
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const get = (url: string, accept: string, of = api): ReturnType<typeof answerText> =>
  answerText(of, "GET", url, { headers: { accept } });

test("serves the page to a browser without caching", async () => {
  const { status, headers, text } = await get("/graphql", BROWSER);
  expect([status, text]).toEqual([200, "Notes /graphql /-"]);
  expect(headers).toEqual({
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'",
    "X-Content-Type-Options": "nosniff",
    Vary: "Accept",
  });
});

test("serves the page's files", async () => {
  const { status, headers, text } = await get("/-/editor.js", "*/*");
  expect([status, headers["Content-Type"], text]).toEqual([200, "text/javascript", "start()"]);
});

test.each([
  [
    "a program asks",
    "/graphql?query={notes{totalCount}}",
    "application/json",
    200,
    '{"data":{"notes":{"totalCount":0}}}',
  ],
  ["a browser follows a link to a response", "/graphql?query={notes{totalCount}}", BROWSER, 200, '{"data":{"notes":'],
  ["any type is accepted", "/graphql", "*/*", 400, "'query' is required."],
  ["JSON is preferred", "/graphql", "text/html;q=0.5, application/json", 400, "'query' is required."],
  ["HTML is not accepted", "/graphql", "text/html;q=0", 406, "NOT_ACCEPTABLE"],
])("serves no page if %s", async (_, url, accept, status, text) => {
  const answer = await get(url, accept);
  expect(answer.status).toBe(status);
  expect(answer.headers["Content-Type"]).toBe("application/json; charset=utf-8");
  expect(answer.text).toContain(text);
});

test("without GraphiQL, shows browsers how to send documents", async () => {
  const plain = defineApi({ info: { title: "Notes & more" }, resources: [note] });
  const { status, headers, text } = await get("/graphql", BROWSER, plain);
  expect([status, headers["Content-Type"]]).toEqual([200, "text/html; charset=utf-8"]);
  expect(text).toContain("<title>GraphQL · Notes &amp; more</title>");
  const [, link = ""] = /<a href="([^"]*query=[^"]*)"/.exec(text) ?? [];
  expect((await get(link, BROWSER, plain)).text).toBe('{"data":{"notes":{"nodes":[]}}}');
  const bare = await get("/graphql", BROWSER, defineApi({ resources: [note], formats: [] }));
  expect([bare.status, bare.text]).toEqual([200, expect.stringContaining("<h1>GraphQL of API</h1>")]);
  const published = await get("/graphql", BROWSER, defineApi({ resources: [note], developerPages: false }));
  expect([published.status, published.text]).toEqual([400, expect.stringContaining("'query' is required.")]);
});
