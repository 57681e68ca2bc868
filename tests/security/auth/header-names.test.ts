import { type Authenticator, DefinitionError, principalFrom } from "@bifocal/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCallers } from "./callers.ts";
import { DOORS, openSocket, type Shown } from "./doors.ts";
import { ADAPTERS, type Served } from "./serve.ts";

interface Incoming {
  readonly headers: Readonly<Record<string, string | undefined>>;
}
const find = ({ headers }: Incoming) => {
  const name = /session=(\w+)/.exec(headers["cookie"] ?? "")?.[1];
  return name === undefined ? null : { id: name };
};

const SESSIONS: Readonly<Record<string, Authenticator>> = {
  Cookie: principalFrom(find, { headers: ["Cookie"] }),
  cookie: principalFrom(find, { headers: ["cookie"] }),
  COOKIE: principalFrom(find, { headers: ["COOKIE"] }),
  "a cookie scheme, without `headers`": {
    challenge: "Session",
    schemes: { session: { type: "apiKey", in: "cookie", name: "session" } },
    authenticate: ({ raw }) => find(raw as Incoming),
  },
  "a cookie scheme, and `headers` that omit it": {
    challenge: "Session",
    headers: ["x-csrf"],
    schemes: { session: { type: "apiKey", in: "cookie", name: "session" } },
    authenticate: ({ raw }) => find(raw as Incoming),
  },
};

const cookie = "session=ann";
const ELSEWHERE: Shown = { cookie, origin: "https://evil.example.com", "sec-fetch-site": "cross-site" };
const JSON_TYPE = { "content-type": "application/json" };
const row = JSON.stringify({ id: 99, name: "eve" });
const mutation = JSON.stringify({ query: 'mutation { updateCaller(id: "1", input: { name: "ann" }) { name } }' });

/** Requests that change data. Each succeeds from a page of the site itself. */
const WRITES: readonly (readonly [what: string, method: string, path: string, body: string | undefined])[] = [
  ["PATCH", "PATCH", "/callers/1", JSON.stringify({ name: "ann" })],
  ["PUT", "PUT", "/callers/1", JSON.stringify({ name: "ann" })],
  ["a GraphQL mutation", "POST", "/graphql", mutation],
  ["DELETE", "DELETE", "/callers/1", undefined],
];

describe.each(Object.entries(SESSIONS))("cookies named by %s", (_spelling, session) => {
  describe.each(Object.entries(ADAPTERS))("on %s", (_adapter, serve) => {
    let served: Served;
    beforeAll(async () => {
      served = await serve(createCallers(session));
    });
    afterAll(() => served.close());
    const send = async (method: string, path: string, shown: Shown, body: string | undefined): Promise<number> => {
      const headers = { ...(body === undefined ? {} : JSON_TYPE), ...shown };
      return (await fetch(`${served.url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) })).status;
    };

    test("D08: returns 403 for a POST from a page of another site", async () => {
      expect(await send("POST", "/callers", ELSEWHERE, row)).toBe(403);
      // The caller also lacks the scope to create, which is another 403. The detail shows which check failed.
      const answer = await fetch(`${served.url}/callers`, {
        method: "POST",
        headers: { ...JSON_TYPE, ...ELSEWHERE },
        body: row,
      });
      expect(((await answer.json()) as { readonly detail: string }).detail).toContain("Cross-site");
    });

    test.each(WRITES)("D08: returns 403 for %s from a page of another site", async (_what, method, path, body) => {
      expect(await send(method, path, ELSEWHERE, body)).toBe(403);
      expect(await send(method, path, { cookie, origin: served.url }, body)).toBe(200);
    });

    test("F06: refuses a WebSocket of a page of another site", async () => {
      await expect(openSocket(served.url, { cookie, origin: "https://evil.example.com" })).rejects.toThrow("403");
      (await openSocket(served.url, { cookie, origin: served.url })).terminate();
    });

    test("varies responses by `Cookie` in its usual spelling", async () => {
      const answer = await fetch(`${served.url}/callers`, { headers: { cookie } });
      expect(answer.headers.get("vary")).toContain("Cookie");
      expect(answer.headers.get("cache-control")).toContain("private");
    });
  });
});

describe("authenticators that spell one header differently", () => {
  const by = (header: string, name: string): Authenticator => ({
    challenge: "Bearer",
    headers: [header],
    schemes: {},
    authenticate: ({ headers }) => (headers[header.toLowerCase()] === `Bearer ${name}` ? { id: name } : null),
  });

  test.each([
    ["AUTHORIZATION", "authorization"],
    ["authorization", "Authorization"],
    ["X-Ticket", "x-TICKET"],
    ["x-api-key", "X-Api-Key"],
  ])("accepts credentials in both %s and %s, and lists the header once", async (one, two) => {
    const served = await ADAPTERS["node-http"](createCallers([by(one, "ann"), by(two, "ben")]));
    try {
      expect(await DOORS["REST"]?.(served.url, { [one]: "Bearer ann" })).toBe("ann");
      expect(await DOORS["REST"]?.(served.url, { [one]: "Bearer ben" })).toBe("ben");
      expect(await DOORS["REST"]?.(served.url, { [one]: "Bearer eve" })).toBe(401);
      const answer = await fetch(`${served.url}/callers`, { headers: { [two]: "Bearer ben" } });
      const names = (answer.headers.get("vary") ?? "").toLowerCase().split(", ");
      expect(names.filter((name) => name === one.toLowerCase())).toHaveLength(1);
    } finally {
      await served.close();
    }
  });

  test.each(["Cookie ", "", "X Ticket", "X-Ticket:"])("rejects '%s' as a header name", (name) => {
    expect(() => createCallers(by(name, "ann"))).toThrow(DefinitionError);
  });
});
