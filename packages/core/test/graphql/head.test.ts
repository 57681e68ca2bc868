import { describe, expect, test } from "vitest";
import { request, start } from "./notes.ts";

const QUERY = encodeURIComponent("{ book(id: 1) { title } }");
const MUTATION = encodeURIComponent("mutation { deleteBook(id: 1) { deleted } }");

async function ask(method: string, query: string, accept = "application/json") {
  const answer = await start().api.handle(request(method, `/graphql?query=${query}`, { headers: { accept } }));
  if (answer === null) throw new Error("/graphql is not part of the API.");
  return answer;
}

describe("HEAD /graphql (RFC 9110 §9.3.2)", () => {
  test.each([
    [QUERY, "application/json", 200],
    [QUERY, "application/graphql-response+json", 200],
    [encodeURIComponent("{"), "application/graphql-response+json", 400],
    [MUTATION, "application/json", 405],
  ])("?query=%s as %s has the status and headers of GET, without content", async (query, accept, status) => {
    const [get, head] = [await ask("GET", query, accept), await ask("HEAD", query, accept)];
    expect([get.status, head.status, head.body]).toEqual([status, status, null]);
    expect(head.headers).toEqual({ ...get.headers, "Content-Length": String(Buffer.byteLength(get.body as string)) });
  });

  test("runs no mutation", async () => {
    const { api } = start();
    await api.handle(request("HEAD", `/graphql?query=${MUTATION}`));
    expect(await api.local.book.get(1)).toMatchObject({ title: "Emma" });
  });

  test("is a 406 for a client that accepts only a stream", async () => {
    for (const accept of ["text/event-stream", "multipart/mixed"]) {
      expect((await ask("HEAD", QUERY, accept)).status).toBe(406);
    }
  });

  test("is in Allow", async () => {
    const answer = await ask("OPTIONS", QUERY);
    expect(answer.headers["Allow"]).toContain("HEAD");
  });

  test("is refused from another site, like GET", async () => {
    const headers = { "sec-fetch-site": "cross-site", origin: "https://other.example" };
    const statuses = await Promise.all(
      ["GET", "HEAD"].map(async (method) => {
        const answer = await start().api.handle(request(method, `/graphql?query=${QUERY}`, { headers }));
        return answer?.status;
      }),
    );
    expect(statuses[1]).toBe(statuses[0]);
  });
});
