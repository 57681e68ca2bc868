import { describe, expect, test } from "vitest";
import { get, post, request, send, start } from "./notes.ts";

const MUTATION = "mutation { deleteBook(id: 1) { deleted } }";
const QUERY = "{ book(id: 1) { title } }";

describe("D05: rejects requests that a form of another site can send", () => {
  test.each([
    ["text/plain", JSON.stringify({ query: MUTATION })],
    ["text/plain; charset=utf-8", JSON.stringify({ query: MUTATION })],
    ["application/x-www-form-urlencoded", new URLSearchParams({ query: MUTATION }).toString()],
    [
      "multipart/form-data; boundary=x",
      `--x\r\nContent-Disposition: form-data; name="query"\r\n\r\n${MUTATION}\r\n--x--\r\n`,
    ],
    ["text/plain, application/json", JSON.stringify({ query: MUTATION })],
    ["text/plain; a=application/json", JSON.stringify({ query: MUTATION })],
    ["application/json; charset=iso-8859-1", JSON.stringify({ query: MUTATION })],
    ["", JSON.stringify({ query: MUTATION })],
  ])("%s: 415", async (type, text) => {
    const { api, calls } = start();
    for (const accept of ["application/json", "text/event-stream"]) {
      const { status } = await send(api, "POST", "/graphql", { text, headers: { "content-type": type, accept } });
      expect(status).toBe(415);
    }
    expect(calls).toEqual([]);
    expect(await api.local.book.get(1)).toMatchObject({ title: "Emma" });
  });

  test("accepts JSON", async () => {
    const { api } = start();
    expect((await post(api, { query: QUERY }, { "content-type": "application/json; charset=utf-8" })).body).toEqual({
      data: { book: { title: "Emma" } },
    });
  });
});

describe("D06: rejects a mutation by GET", () => {
  test.each(["application/json", "application/graphql-response+json", "text/event-stream"])(
    "%s: 405",
    async (accept) => {
      const { api } = start();
      const { status, headers } = await get(api, { query: MUTATION }, { accept });
      expect([status, headers["Allow"] ?? headers["allow"]]).toEqual([405, "POST"]);
      expect(await api.local.book.get(1)).toMatchObject({ title: "Emma" });
    },
  );
});

describe("D07: rejects a GET query from a page of another site", () => {
  const { api, calls } = start();
  test.each([
    ["another site", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }, 403],
    ["another origin of the site", { "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors" }, 403],
    ["a link on another site", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }, 403],
    ["with unrelated credentials", { "sec-fetch-site": "cross-site", cookie: "session=1" }, 403],
    ["by a script, from an origin", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }, 403],
    ["as an event stream", { "sec-fetch-site": "cross-site", accept: "text/event-stream" }, 403],
    ["after a preflight", { "sec-fetch-site": "cross-site", "graphql-require-preflight": "1" }, 200],
    ["a page of the same origin", { "sec-fetch-site": "same-origin" }, 200],
    ["the address bar", { "sec-fetch-site": "none", "sec-fetch-mode": "navigate" }, 200],
    ["a program", {}, 200],
  ])("%s: %o is %i", async (_, headers, expected) => {
    calls.length = 0;
    const { status, body } = await get(api, { query: QUERY }, headers);
    expect(status).toBe(expected);
    expect(calls).toEqual(expected === 200 ? ["book.byKeys(1)"] : []);
    expect(JSON.stringify(body).includes("FORBIDDEN")).toBe(expected === 403);
  });

  test("accepts POST, because it needs a preflight", async () => {
    const headers = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
    expect((await post(api, { query: QUERY }, headers)).status).toBe(200);
  });

  test("accepts an origin that CORS allows", async () => {
    const open = start({}, {}, { cors: { origins: ["https://app.example"] } }).api;
    const ask = async (origin: string) => {
      const headers = { "sec-fetch-site": "cross-site", origin };
      return (await open.handle(request("GET", "/graphql?query={__typename}", { headers })))?.status;
    };
    expect(await ask("https://app.example")).toBe(200);
    expect(await ask("https://evil.example")).toBe(403);
  });
});
