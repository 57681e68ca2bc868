import { auditRest } from "@bifocal/testing";
import { auditServer } from "graphql-http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HOSTS, MAX_START_MS, MISSING, type RunningHost } from "./host.ts";

/** The audits that send the method QUERY (RFC 10008). */
const QUERY_AUDITS = ["M011", "M012", "M014"];
const JSON_BODY = { "content-type": "application/json" };

describe.skipIf(MISSING !== undefined).each(HOSTS)(`$name ${MISSING ?? ""}`, ({ name, start, lacksQuery }) => {
  let host: RunningHost;
  let url: string;
  beforeAll(async () => {
    host = await start();
    url = `http://127.0.0.1:${host.port}/api`;
  }, MAX_START_MS);
  afterAll(() => host.close());

  test("passes the audits of REST", { timeout: 120_000 }, async () => {
    const results = await auditRest({ url });
    expect(results).toHaveLength(60);
    const failed = results.filter(({ reason }) => reason !== undefined).map(({ id }) => id);
    expect(failed).toEqual(lacksQuery === true ? QUERY_AUDITS : []);
  });

  test("passes the audits of graphql-http", { timeout: 120_000 }, async () => {
    const results = await auditServer({ url: `${url}/graphql`, fetchFn: fetch });
    expect(results.filter(({ status }) => status !== "ok")).toEqual([]);
    expect(results).toHaveLength(61);
  });

  test("returns 404 outside of the prefix", async () => {
    expect((await fetch(`http://127.0.0.1:${host.port}/apis/notes`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${host.port}/other`)).status).toBe(404);
  });

  test("rejects a body above the limit, whether its length is announced or not", async () => {
    const body = JSON.stringify({ id: 1, text: "x".repeat(2_000_000), stars: 1 });
    const send = (given: RequestInit & { duplex?: "half" }): Promise<number | undefined> =>
      fetch(`${url}/notes`, { method: "POST", headers: JSON_BODY, ...given }).then(
        ({ status }) => status,
        // A host may close the connection while the client still sends.
        () => undefined,
      );
    expect([413, undefined]).toContain(await send({ body }));
    expect([413, undefined]).toContain(await send({ body: new Blob([body]).stream(), duplex: "half" }));
    expect((await fetch(`${url}/notes/1`)).status).toBe(404);
  });

  test("rejects a credential that was sent twice", async () => {
    const headers = new Headers([
      ["authorization", "Bearer audit"],
      ["authorization", "Bearer audit2"],
    ]);
    expect((await fetch(`${url}/locked`, { headers })).status).toBeGreaterThanOrEqual(400);
  });

  test("reads bodies with any text", async () => {
    const text = "Łódź – 東京 \u{1f4da}";
    const created = await fetch(`${url}/notes`, {
      method: "POST",
      headers: JSON_BODY,
      body: JSON.stringify({ id: 4711, text, stars: 3 }),
    });
    expect(await created.json()).toMatchObject({ id: 4711, text });
    const query = "query ($id: ID!) { note(id: $id) { text stars } }";
    const asked = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: JSON_BODY,
      body: JSON.stringify({ query, variables: { id: 4711 } }),
    });
    expect(await asked.json()).toEqual({ data: { note: { text, stars: 3 } } });
  });

  test("sends the files of pages to browsers that accept compression, and to others", async () => {
    const read = async (encoding: string): Promise<string> =>
      (await fetch(`${url}/-/page.css`, { headers: { "accept-encoding": encoding } })).text();
    const [compressed, whole] = await Promise.all([read("gzip"), read("identity")]);
    expect(compressed).toContain("color-scheme");
    expect(compressed).toBe(whole);
  });

  test("sends events to subscribers of both styles, until they disconnect", async () => {
    const stop = new AbortController();
    const rest = await fetch(`${url}/notes`, { headers: { accept: "text/event-stream" }, signal: stop.signal });
    const graphql = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: { ...JSON_BODY, accept: "text/event-stream" },
      body: JSON.stringify({ query: "subscription { noteCreated { id text } }" }),
      signal: stop.signal,
    });
    const streams = [rest, graphql].map((response) => {
      expect(response.status).toBe(200);
      return readUntil(response, "An event");
    });
    const note = { id: 815, text: "An event", stars: 1 };
    const created = await fetch(`${url}/notes`, { method: "POST", headers: JSON_BODY, body: JSON.stringify(note) });
    expect(created.status).toBe(201);
    const [asRest, asGraphql] = await Promise.all(streams);
    expect(asRest).toContain("event: created");
    expect(asGraphql).toContain("event: next");
    stop.abort();
    expect((await fetch(`${url}/notes/815`)).status).toBe(200);
  });

  // Bun closes connections that are silent for ten seconds.
  test.runIf(name.includes("Bun"))("keeps silent event streams open", { timeout: 60_000 }, async () => {
    const stop = new AbortController();
    const stream = await fetch(`${url}/notes`, { headers: { accept: "text/event-stream" }, signal: stop.signal });
    const came = readUntil(stream, "Later");
    await new Promise((resolve) => setTimeout(resolve, 13_000));
    const note = { id: 816, text: "Later", stars: 1 };
    await fetch(`${url}/notes`, { method: "POST", headers: JSON_BODY, body: JSON.stringify(note) });
    expect(await came).toContain("event: created");
    stop.abort();
  });
});

/** Reads a stream until it contains a text, and returns what came. */
async function readUntil(response: Response, text: string): Promise<string> {
  const decoder = new TextDecoder();
  let all = "";
  for await (const piece of response.body as AsyncIterable<Uint8Array>) {
    all += decoder.decode(piece, { stream: true });
    if (all.includes(text)) return all;
  }
  throw new Error(`The stream ended without '${text}': ${all}`);
}
