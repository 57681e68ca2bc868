import { apiKeys, asSystem, type Authenticator, BifocalError, principalFrom } from "@bifocal/core";
import { jwt } from "@bifocal/jwt";
import { createConnection } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCallers } from "./callers.ts";
import { askSocket, atDoor, closedWith, DOORS, openSocket, type Seen, type Shown } from "./doors.ts";
import { createKey, seconds, sign } from "./issuer.ts";
import { ADAPTERS, type Served } from "./serve.ts";

const [one, two] = [await createKey("one"), await createKey("two")];
const audience = "https://api.example.com";
const first = "https://first.example.com";
const second = "https://second.example.com";
const algorithms = ["ES256"] as const;

/** A session of the host, here a cookie that it can read. */
const session = principalFrom(({ headers }: { readonly headers: Readonly<Record<string, string | undefined>> }) => {
  const name = /session=(\w+)/.exec(headers["cookie"] ?? "")?.[1];
  if (name === "forged") throw new BifocalError("UNAUTHENTICATED", "The session is not ours.");
  return name === undefined ? null : { id: name };
});
const auth: readonly Authenticator[] = [
  jwt({ issuer: first, audience, algorithms, keys: [one.jwk] }),
  jwt({ issuer: second, audience, algorithms, keys: [two.jwk] }),
  apiKeys({ "key-of-ben": { id: "ben" } }),
  session,
];
const ann = `Bearer ${await sign(one, first)}`;
const benByToken = `Bearer ${await sign(two, second, { claims: { sub: "ben" } })}`;
const crossed = `Bearer ${await sign(two, first)}`;
const unknown = `Bearer ${await sign(two, "https://third.example.com")}`;

const CASES: readonly (readonly [what: string, shown: Shown, seen: Seen])[] = [
  ["nothing", {}, "nobody"],
  ["the first issuer's token", { authorization: ann }, "ann"],
  ["the second issuer's token", { authorization: benByToken }, "ben"],
  ["the second's, which claims to be the first's", { authorization: crossed }, 401],
  ["a third issuer's, which falls through to the keys", { authorization: unknown }, 401],
  ["a key as Bearer", { authorization: "Bearer key-of-ben" }, "ben"],
  ["a key in its own header", { "x-api-key": "key-of-ben" }, "ben"],
  ["a wrong key", { "x-api-key": "key-of-eve" }, 401],
  ["an empty Authorization", { authorization: "" }, 401],
  ["H13: Basic for a proxy, and a wrong key", { authorization: "Basic YTpi", "x-api-key": "key-of-eve" }, 401],
  ["a scheme that no authenticator reads", { authorization: "Token YTpi" }, 401],
  ["a scheme that starts like Basic", { authorization: "Basics YTpi" }, 401],
  ["H13: token and key", { authorization: ann, "x-api-key": "key-of-ben" }, 400],
  ["H13: a token and a wrong key", { authorization: ann, "x-api-key": "key-of-eve" }, 400],
  ["H13: a wrong token and a key", { authorization: crossed, "x-api-key": "key-of-ben" }, 400],
];

/** Browsers and proxies send these with the upgrade, but never in `connection_init`. */
const AUTOMATIC: readonly (readonly [what: string, shown: Shown, seen: Seen])[] = [
  ["H13: Basic, which is meant for a proxy", { authorization: "Basic YTpi" }, "nobody"],
  ["H13: Basic for a proxy, and a key", { authorization: "basic YTpi", "x-api-key": "key-of-ben" }, "ben"],
  ["a session", { cookie: "session=ben" }, "ben"],
  ["an unrelated cookie", { cookie: "theme=dark" }, "nobody"],
  ["a forged session", { cookie: "session=forged" }, 401],
  ["a token, and an unrelated cookie", { cookie: "theme=dark", authorization: ann }, "ann"],
  ["H13: session and token", { cookie: "session=ben", authorization: ann }, "ann"],
  ["H13: session and token of the same caller", { cookie: "session=ann", authorization: ann }, "ann"],
  ["H13: session and wrong token", { cookie: "session=ben", authorization: crossed }, 401],
  ["H13: session and a token of an unknown issuer", { cookie: "session=ben", authorization: unknown }, 401],
  ["H13: forged session and token", { cookie: "session=forged", authorization: ann }, "ann"],
  ["H13: session and key", { cookie: "session=ann", "x-api-key": "key-of-ben" }, "ben"],
  ["H13: session and Basic for a proxy", { cookie: "session=ben", authorization: "Basic YTpi" }, "ben"],
  ["H13: session and wrong key", { cookie: "session=ben", "x-api-key": "key-of-eve" }, 401],
];

describe.each(Object.entries(ADAPTERS))("on %s", (_, serve) => {
  let served: Served;
  beforeAll(async () => {
    served = await serve(createCallers(auth));
  });
  afterAll(() => served.close());

  describe.each(Object.entries(DOORS))("through %s", (door, ask) => {
    test.each(CASES)("%s", async (_what, shown, seen) => {
      expect(await ask(served.url, shown)).toBe(atDoor(door, seen));
    });
    if (door.endsWith("connection_init")) return;
    test.each(AUTOMATIC)("%s", async (_what, shown, seen) => {
      expect(await ask(served.url, shown)).toBe(atDoor(door, seen));
    });
  });

  test.each([
    ["C10, H14: Authorization twice, the same", [`Authorization: ${ann}`, `Authorization: ${ann}`], 400],
    ["C10, H14: Authorization twice, the second wrong", [`Authorization: ${ann}`, "authorization: Bearer x"], 400],
    [
      "C10, H14: Authorization twice, the first with an unknown scheme",
      ["Authorization: Basic x", `AUTHORIZATION: ${ann}`],
      400,
    ],
    ["C10: a key twice", ["X-API-Key: key-of-ben", "X-Api-Key: key-of-ben"], 400],
    ["once", [`Authorization: ${ann}`], 200],
  ])("%s", async (_what, headers, status) => {
    for (const path of ["/callers", "/graphql?query=%7B__typename%7D"]) {
      expect(await statusOf(served.url, path, headers)).toBe(status);
    }
  });

  test("lists every authentication method once in a 401, and none in a 400", async () => {
    const response = await fetch(`${served.url}/callers`, { headers: { authorization: crossed } });
    expect(response.headers.get("www-authenticate")?.match(/\b(Bearer|Session)\b/g)).toEqual(["Bearer", "Session"]);
    const both = await fetch(`${served.url}/callers`, { headers: { authorization: ann, "x-api-key": "key-of-ben" } });
    expect(await both.json()).toMatchObject({ code: "BAD_REQUEST" });
  });

  test.each<[what: string, shown: Shown, rejected: string]>([
    ["a wrong token", { authorization: crossed }, "Authorization"],
    ["a wrong token beside a session", { authorization: crossed, cookie: "session=ben" }, "Authorization"],
    ["a wrong key beside Basic for a proxy", { "x-api-key": "key-of-eve", authorization: "Basic YTpi" }, "X-API-Key"],
    ["a forged session beside Basic for a proxy", { cookie: "session=forged", authorization: "Basic YTpi" }, "Cookie"],
    ["an unsupported scheme", { authorization: "Token YTpi" }, "Authorization"],
  ])("H13: names the rejected credential in a 401: %s", async (_what, headers, rejected) => {
    const response = await fetch(`${served.url}/callers`, { headers });
    const { detail } = (await response.json()) as { readonly detail: string };
    expect([response.status, detail]).toEqual([
      401,
      expect.stringMatching(new RegExp(`\\. Rejected credential: '${rejected}'\\.$`)),
    ]);
    expect(response.headers.get("www-authenticate")).toContain(`Rejected credential: '${rejected}'.`);
    for (const value of Object.values(headers)) expect(detail).not.toContain(value.split(" ").at(-1));
  });

  test("names both headers if a request has two credentials", async () => {
    const headers = { authorization: ann, "x-api-key": "key-of-ben" };
    const response = await fetch(`${served.url}/callers`, { headers });
    expect(await response.json()).toMatchObject({
      detail:
        "The request has more than one credential: Authorization, X-API-Key. Send only one, or the same one in each.",
    });
  });

  test("varies responses by every header that can hold a credential", async () => {
    const response = await fetch(`${served.url}/callers`, { headers: { authorization: ann } });
    expect(response.headers.get("vary")).toBe("Accept, Authorization, X-API-Key, Cookie");
  });
});

test("H13: keeps a scheme that an authenticator declares, and every scheme of one that declares none", async () => {
  const basic = (schemes: Authenticator["schemes"]): Authenticator => ({
    challenge: "Basic",
    headers: ["Authorization"],
    schemes,
    authenticate: ({ headers }) => (headers["authorization"] === "Basic YTpi" ? { id: "ben" } : null),
  });
  for (const schemes of [{ basic: { type: "http", scheme: "Basic" } }, {}]) {
    const served = await ADAPTERS["node-http"](createCallers([basic(schemes), ...auth]));
    expect(await DOORS["REST"]?.(served.url, { authorization: "Basic YTpi" })).toBe("ben");
    expect(await DOORS["REST"]?.(served.url, { authorization: "Basic eDp5" })).toBe(401);
    await served.close();
  }
});

test("gives the same result for each order of methods that read one header", async () => {
  const served = await ADAPTERS["node-http"](createCallers(auth.toReversed()));
  for (const [what, shown, seen] of [...CASES, ...AUTOMATIC]) {
    expect([what, await DOORS["REST"]?.(served.url, shown)]).toEqual([what, seen]);
  }
  await served.close();
});

describe("on a WebSocket", () => {
  let served: Served;
  beforeAll(async () => {
    served = await ADAPTERS["node-http"](createCallers(auth));
  });
  afterAll(() => served.close());

  test.each<[what: string, headers: Shown, payload: unknown, seen: Seen]>([
    ["H13: one in the upgrade and one in connection_init", { authorization: ann }, { Authorization: benByToken }, 4403],
    ["H13: the same in both", { authorization: ann }, { authorization: ann }, 4403],
    ["H13: a token in the upgrade, a key in connection_init", { authorization: ann }, { apiKey: "key-of-ben" }, 4403],
    [
      "H13: a session in the upgrade, a token in connection_init",
      { cookie: "session=ben" },
      { Authorization: ann },
      "ann",
    ],
    [
      "H13: Basic for a proxy in the upgrade, a token in connection_init",
      { authorization: "Basic YTpi" },
      { Authorization: ann },
      "ann",
    ],
    [
      "H13: a session in the upgrade, a wrong token in connection_init",
      { cookie: "session=ben" },
      { Authorization: crossed },
      4403,
    ],
    ["H13: twice in connection_init", {}, { Authorization: ann, authorization: ann }, 4403],
    ["a key by its short name", {}, { apiKey: "key-of-ben" }, "ben"],
    ["a null token counts as absent", {}, { Authorization: null }, "nobody"],
    ["an empty token", {}, { Authorization: "" }, 4403],
    ["a token that is true", {}, { Authorization: true }, 4403],
    ["a token that is an object", {}, { Authorization: { toString: ann } }, 4403],
    ["a list of tokens", {}, { Authorization: [ann] }, 4403],
    ["a key that is an object", {}, { apiKey: {} }, 4403],
    ["a cookie in connection_init is ignored", {}, { cookie: "session=ben" }, "nobody"],
    ["other members", {}, { locale: "en", __proto__: { Authorization: ann } }, "nobody"],
  ])("%s", async (_what, headers, payload, seen) => {
    expect(await askSocket(await openSocket(served.url, headers), payload)).toBe(seen);
  });

  test.each(["?access_token=x", "?Authorization=x", "?x-api-key=key-of-ben"])(
    "H12: refuses the upgrade for %s",
    async (query) => {
      const lines = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];
      const more = ["Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Protocol: graphql-transport-ws"];
      expect(await statusOf(served.url, `/graphql${query}`, [...lines, ...more])).toBe(400);
    },
  );

  test.each<[what: string, headers: Shown, status: number]>([
    ["a page of another site", { "sec-fetch-site": "cross-site", origin: "https://evil.example.com" }, 403],
    ["a page of another host of this site", { "sec-fetch-site": "same-site", origin: "https://evil.example.com" }, 403],
    ["a page that hides its origin", { "sec-fetch-site": "cross-site" }, 403],
    ["a page without an origin", { "sec-fetch-site": "cross-site", origin: "null" }, 403],
    ["an old browser", { origin: "https://evil.example.com" }, 403],
    [
      "a page of this host, behind a proxy",
      { "sec-fetch-site": "same-origin", origin: "https://api.example.com" },
      200,
    ],
    ["no browser", {}, 200],
  ])("D08: with a session cookie, %s", async (_what, headers, status) => {
    const body = JSON.stringify({ query: "mutation { updateCaller(id: 1, input: {}) { id } }" });
    const shown = { "content-type": "application/json", cookie: "session=ann", ...headers };
    expect((await fetch(`${served.url}/graphql`, { method: "POST", headers: shown, body })).status).toBe(status);
    const patch = { method: "PATCH", headers: shown, body: "{}" };
    expect((await fetch(`${served.url}/callers/1`, patch)).status).toBe(status);
    // A page cannot make a browser send a token, so requests with a token are accepted from any site.
    const token = { ...patch, headers: { "content-type": "application/json", ...headers, authorization: ann } };
    expect((await fetch(`${served.url}/callers/1`, token)).status).toBe(200);
    expect((await fetch(`${served.url}/callers`, { headers: shown })).status).toBe(200);
  });

  test("F06: refuses a WebSocket of another origin if cookies authenticate the caller", async () => {
    await expect(openSocket(served.url, { origin: "https://evil.example.com", cookie: "session=ben" })).rejects.toThrow(
      "403",
    );
  });

  test("F07: closes a socket when its token expires, and sends nothing after that", async () => {
    const strict = jwt({ issuer: first, audience, algorithms, keys: [one.jwk], clockTolerance: 0 });
    const api = createCallers(strict);
    const short = await ADAPTERS["node-http"](api);
    const token = await sign(one, first, { claims: { exp: seconds() + 2 } });
    const socket = await openSocket(short.url, {});
    const messages: string[] = [];
    socket.on("message", (data: Buffer) => {
      messages.push(data.toString());
    });
    const closed = closedWith(socket).then((code) => ({ code, at: Date.now() }));
    const query = "subscription { callerUpdated { name } }";
    socket.send(JSON.stringify({ type: "connection_init", payload: { Authorization: `Bearer ${token}` } }));
    await expect.poll(() => messages.length).toBe(1);
    socket.send(JSON.stringify({ type: "subscribe", id: "1", payload: { query } }));
    const { code, at } = await closed;
    const exp =
      (JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { exp: number }).exp * 1_000;
    expect(code).toBe(4401);
    expect(at).toBeGreaterThanOrEqual(exp);
    expect(at).toBeLessThan(exp + 1_500);
    expect(messages).toHaveLength(1);
    await short.close();
  });
});

test("never creates a system principal from a request", async () => {
  const system = await ADAPTERS["node-http"](createCallers(principalFrom(() => asSystem("from outside"))));
  expect(await DOORS["REST"]?.(system.url, {})).toBe(500);
  await system.close();
  const alike = principalFrom(() => ({ id: "system", "~system": "from outside" }));
  const served = await ADAPTERS["node-http"](createCallers(alike));
  expect(await DOORS["REST"]?.(served.url, {})).toBe("a stranger");
  await served.close();
});

/** The status of a request whose header lines are sent unchanged. */
function statusOf(url: string, path: string, headers: readonly string[]): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = createConnection(Number(port), hostname);
    socket.once("error", reject);
    socket.once("data", (data) => {
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(data.toString())?.[1]));
      socket.destroy();
    });
    const close = headers.some((line) => line.startsWith("Connection")) ? [] : ["Connection: close"];
    socket.write([`GET ${path} HTTP/1.1`, `Host: ${hostname}:${port}`, ...close, ...headers, "", ""].join("\r\n"));
  });
}
