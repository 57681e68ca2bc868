import { jwt, oauth } from "@bifocal/jwt";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { createCallers } from "./callers.ts";
import { closedWith, DOORS, openSocket, type Seen } from "./doors.ts";
import { createKey, seconds, sendJson, sign, startServer } from "./issuer.ts";
import { ADAPTERS } from "./serve.ts";

const ISSUER = "https://id.example.com";
const RESOURCE = "https://api.example.com";
const server = await startServer((_request, response) => sendJson(response, answer));
afterAll(() => server.close());
let answer: unknown;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function start(timeout = 400): Promise<string> {
  const introspection = { clientId: "a:b", clientSecret: "s p/c+%", url: `${server.url}/introspect` };
  const served = await ADAPTERS["node-http"](
    createCallers(oauth({ issuer: ISSUER, resource: RESOURCE, introspection, timeout })),
  );
  closing.push(served.close);
  return served.url;
}
const ask = async (url: string, token: string): Promise<Seen | undefined> =>
  DOORS["REST"]?.(url, { authorization: `Bearer ${token}` });

const good = { active: true, sub: "ann", aud: RESOURCE, iss: ISSUER, exp: seconds() + 300 };

describe("introspection responses (RFC 7662 §2.2)", () => {
  test.each<[what: string, answer: unknown, seen: Seen]>([
    ["an active token", good, "ann"],
    ["a token of a client", { ...good, sub: undefined, client_id: "client" }, "client"],
    ["a token without issuer, which is implied", { ...good, iss: undefined }, "ann"],
    ["a token without expiry", { ...good, exp: undefined }, "ann"],
    ["a token for several audiences", { ...good, aud: ["https://other.example.com", RESOURCE] }, "ann"],
    ["an inactive token", { active: false }, 401],
    ["an inactive token with valid claims", { ...good, active: false }, 401],
    ["active as text", { ...good, active: "true" }, 401],
    ["active as a number", { ...good, active: 1 }, 401],
    ["active as null", { ...good, active: null }, 401],
    ["no active", { ...good, active: undefined }, 401],
    ["H07: for another audience", { ...good, aud: "https://other.example.com" }, 401],
    ["H07: for nobody", { ...good, aud: undefined }, 401],
    ["H07: of another issuer", { ...good, iss: `${ISSUER}/` }, 401],
    ["H07: expired", { ...good, exp: seconds() - 1 }, 401],
    ["H07: exp as text", { ...good, exp: String(seconds() + 300) }, 401],
    ["H07: nbf in the future", { ...good, nbf: seconds() + 60 }, 401],
    ["H07: without sub", { ...good, sub: undefined }, 401],
    ["H07: sub as an object", { ...good, sub: {} }, 401],
    ["H08: bound to a key", { ...good, cnf: { jkt: "thumbprint" } }, 401],
    ["null", null, 401],
    ["a list", [good], 401],
    ["no JSON", "active=true", 503],
  ])("%s", async (_, given, seen) => {
    answer = JSON.parse(JSON.stringify(given)) as unknown;
    expect(await ask(await start(), "token")).toBe(seen);
  });
});

test("introspects by POST, with the API's credentials (RFC 6749 §2.3.1) and the token in the form", async () => {
  const asked: unknown[] = [];
  const { answer: before } = server;
  server.answer = (request, response) => {
    let text = "";
    request.on("data", (part: Buffer) => (text += part.toString()));
    request.on("end", () => {
      asked.push([request.method, request.url, request.headers.authorization, text]);
      sendJson(response, good);
    });
  };
  expect(await ask(await start(), "a-token~1")).toBe("ann");
  server.answer = before;
  const basic = Buffer.from("a%3Ab:s+p%2Fc%2B%25").toString("base64");
  expect(asked).toEqual([["POST", "/introspect", `Basic ${basic}`, "token=a-token%7E1&token_type_hint=access_token"]]);
});

test("C16: treats a server that is slow, redirects or never stops sending as unavailable", async () => {
  const { answer: before } = server;
  for (const other of [
    () => {},
    ((_request, response) => void response.writeHead(302, { location: "/elsewhere" }).end()) as typeof before,
    ((_request, response) => void response.end("x".repeat(1_048_576))) as typeof before,
    ((_request, response) => void response.writeHead(401).end()) as typeof before,
  ]) {
    server.answer = other;
    expect(await ask(await start(), "token")).toBe(503);
  }
  server.answer = before;
  expect(server.asked).not.toContain("/elsewhere");
});

test("doesn't cache a failure", async () => {
  const { answer: before } = server;
  const url = await start();
  server.answer = (_request, response) => void response.writeHead(500).end();
  expect(await ask(url, "token")).toBe(503);
  server.answer = before;
  answer = good;
  expect(await ask(url, "token")).toBe("ann");
});

test("H10: limits one address that floods tokens to 16 lookups at a time, queues 64, and responds to the rest with 429", async () => {
  const { answer: before } = server;
  let [now, most] = [0, 0];
  server.answer = (_request, response) => {
    now += 1;
    most = Math.max(most, now);
    setTimeout(() => {
      now -= 1;
      sendJson(response, { active: false });
    }, 500);
  };
  const url = await start(5_000);
  const asked = server.asked.length;
  const seen = await Promise.all(Array.from({ length: 300 }, async (_, index) => ask(url, `made-up-${index}`)));
  server.answer = before;
  expect(most).toBe(16);
  // The rest was rejected without waiting.
  expect(server.asked.length - asked).toBeLessThan(150);
  expect(new Set(seen)).toEqual(new Set([401, 429]));
});

test("H10: limits an authenticator without an API to 64 lookups at a time", async () => {
  const { answer: before } = server;
  const release: (() => void)[] = [];
  server.answer = (_request, response) => void release.push(() => sendJson(response, { active: false }));
  const introspection = { clientId: "a", clientSecret: "b", url: `${server.url}/introspect` };
  const auth = oauth({ issuer: ISSUER, resource: RESOURCE, introspection });
  const errors: string[] = [];
  const lookups = Array.from({ length: 70 }, async (_, index) => {
    const authorization = `Bearer alone-${index}`;
    await Promise.resolve(auth.authenticate({ headers: { authorization } })).catch((thrown: unknown) =>
      errors.push(String(thrown)),
    );
  });
  // The six above the limit are rejected while the others wait for the server.
  await expect.poll(() => [release.length, errors.length]).toEqual([64, 6]);
  for (const error of errors) expect(error).toContain("can't be verified");
  for (const go of release) go();
  await Promise.all(lookups);
  server.answer = before;
  expect(errors).toHaveLength(70);
});

test("H16: rejects the token of a disabled user and closes its socket", async () => {
  const key = await createKey("one");
  const disabled = new Set<string>();
  const auth = jwt({
    issuer: ISSUER,
    audience: RESOURCE,
    algorithms: ["ES256"],
    keys: [key.jwk],
    isActive: ({ id }) => !disabled.has(id),
  });
  const served = await ADAPTERS["node-http"](createCallers(auth));
  closing.push(served.close);
  const token = await sign(key, ISSUER);
  const socket = await openSocket(served.url, { authorization: `Bearer ${token}` });
  const closed = closedWith(socket);
  socket.send('{"type":"connection_init"}');
  await new Promise((resolve) => socket.once("message", resolve));
  expect(await ask(served.url, token)).toBe("ann");
  disabled.add("ann");
  expect(await ask(served.url, token)).toBe(401);
  const start_ = performance.now();
  expect(await closed).toBe(4401);
  expect(performance.now() - start_).toBeLessThan(5_000);
});

test("rejects a token without the claims that the API needs", async () => {
  const { z } = await import("zod");
  const key = await createKey("one");
  const claims = z.object({ tenant: z.enum(["north", "south"]) });
  const principal = ({ tenant, sub }: { tenant: string; sub: string }) => ({ id: tenant === "north" ? sub : "ben" });
  const place = { issuer: ISSUER, audience: RESOURCE, algorithms: ["ES256"], keys: [key.jwk] } as const;
  const auth = jwt({ ...place, claims, principal });
  const served = await ADAPTERS["node-http"](createCallers(auth));
  closing.push(served.close);
  const seen = async (tenant: unknown) => ask(served.url, await sign(key, ISSUER, { claims: { tenant } }));
  expect([await seen("north"), await seen("south"), await seen("west"), await seen(undefined)]).toEqual([
    "ann",
    "ben",
    401,
    401,
  ]);
  expect(auth.claimsOf({ id: "ann", claims: { tenant: "north" } })?.tenant).toBe("north");
  expect(auth.claimsOf({ id: "ann", claims: { tenant: "west" } })).toBeUndefined();
  expect(auth.claimsOf({ id: "ann" })).toBeUndefined();
  expect(auth.claimsOf(null)).toBeUndefined();
});
