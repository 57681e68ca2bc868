import { jwt, type JwksTimes } from "@bifocal/jwt";
import type { JWK } from "jose";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { createCallers } from "./callers.ts";
import { askSocket, atDoor, DOORS, openSocket, type Seen } from "./doors.ts";
import { createKey, sendJson, sign, startServer, type KeyPair } from "./issuer.ts";
import { ADAPTERS } from "./serve.ts";

const ISSUER = "https://id.example.com";
const [one, two, rsa] = [await createKey("one"), await createKey("two"), await createKey("rsa", "RS256")];
const stranger = await createKey("stranger");

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
const keys =
  (...jwks: readonly unknown[]): Answer =>
  (_request, response) =>
    sendJson(response, { keys: jwks });

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** An API whose keys are on a server of the test. */
async function start(
  answer: Answer,
  jwks: JwksTimes = {},
  algorithms: readonly ["ES256", ...("RS256" | "PS256")[]] = ["ES256", "RS256"],
) {
  const issuer = await startServer(answer);
  const auth = jwt({
    issuer: ISSUER,
    audience: "https://api.example.com",
    algorithms,
    jwksUrl: `${issuer.url}/jwks`,
    jwks,
  });
  const served = await ADAPTERS["node-http"](createCallers(auth));
  closing.push(served.close, issuer.close);
  const ask = async (
    key: Pick<KeyPair, "kid" | "alg" | "privateKey">,
    header: Record<string, unknown> = {},
  ): Promise<Seen> =>
    (DOORS["REST"] as (typeof DOORS)[string])(served.url, {
      authorization: `Bearer ${await sign(key, ISSUER, { header })}`,
    });
  return { issuer, served, ask };
}
const fail: Answer = (_request, response) => void response.writeHead(500).end();

describe("H03: keys of a set", () => {
  const { kid: _, ...nameless } = one.jwk;
  const { alg: __, use: ___, ...plain } = rsa.jwk;
  test.each<[what: string, set: readonly unknown[], signer: KeyPair, seen: Seen]>([
    ["a key", [one.jwk], one, "ann"],
    ["two keys", [two.jwk, one.jwk], one, "ann"],
    ["a key without alg, by its kind", [plain], rsa, "ann"],
    ["a key without a name", [nameless], one, "ann"],
    ["two keys without names", [nameless, { ...two.jwk, kid: undefined }], one, 401],
    ["for encryption", [{ ...one.jwk, use: "enc" }, two.jwk], one, 401],
    ["for signing only", [{ ...one.jwk, key_ops: ["sign"] }, two.jwk], one, 401],
    ["of another algorithm than it names", [{ ...one.jwk, alg: "RS256" }, two.jwk], one, 401],
    ["of an algorithm that is not listed", [{ ...rsa.jwk, alg: "PS256" }, two.jwk], rsa, 401],
    ["a secret", [{ kty: "oct", k: Buffer.alloc(32, 7).toString("base64url"), kid: "one" }, two.jwk], one, 401],
    ["a private key", [{ ...one.jwk, d: "AAAA" }, two.jwk], one, 401],
    ["a point off the curve", [{ ...one.jwk, y: one.jwk.x }, two.jwk], one, 401],
    ["another curve", [{ ...one.jwk, crv: "P-384" }, two.jwk], one, 401],
    ["an RSA key of 512 bits", [{ kty: "RSA", kid: "rsa", e: "AQAB", n: rsa.jwk.n?.slice(0, 86) }, two.jwk], rsa, 401],
    ["a name that isn't text", [{ ...one.jwk, kid: 1 }, two.jwk], one, 401],
    ["the same name twice", [one.jwk, { ...two.jwk, kid: "one" }], one, 401],
    ["the same name twice, for different algorithms", [one.jwk, { ...rsa.jwk, kid: "one" }], one, "ann"],
    ["values that aren't keys", [null, 1, "key", [], {}, one.jwk], one, "ann"],
    [
      "100 keys",
      [...Array.from({ length: 99 }, (____, index) => ({ ...two.jwk, kid: `${index}` })), one.jwk],
      one,
      "ann",
    ],
  ])("%s", async (_what, set, signer, seen) => {
    const { ask } = await start(keys(...set));
    expect(await ask(signer)).toBe(seen);
  });

  test.each<[what: string, answer: Answer]>([
    ["10,000 keys", keys(...Array.from({ length: 10_000 }, () => one.jwk))],
    [
      "101 keys, with the good one",
      keys(...Array.from({ length: 100 }, (_, index) => ({ ...two.jwk, kid: `${index}` })), one.jwk),
    ],
    [
      "a set in an error response",
      (_request, response) => {
        response.statusCode = 404;
        sendJson(response, { keys: [one.jwk] });
      },
    ],
    ["no list", (_request, response) => sendJson(response, { keys: { 0: one.jwk } })],
    ["null", (_request, response) => sendJson(response, null)],
    ["no JSON", (_request, response) => sendJson(response, "<html>")],
    ["an empty list", keys()],
    ["no key that can be used", keys({ kty: "oct", k: "AAAA" })],
    ["an error", fail],
    [
      "a redirect (C16)",
      (request, response) => {
        if (request.url === "/jwks") response.writeHead(302, { location: "/other" }).end();
        else sendJson(response, { keys: [one.jwk] });
      },
    ],
    [
      "a megabyte (C16)",
      (_request, response) => sendJson(response, { keys: [one.jwk], padding: "p".repeat(1_048_576) }),
    ],
    [
      "a megabyte without an end (C16)",
      (_request, response) => {
        response.write(`{"keys":[${JSON.stringify(one.jwk)}],"padding":"`);
        response.write("p".repeat(1_048_576));
      },
    ],
    ["nothing (C16)", () => {}],
    ["half a response (C16)", (_request, response) => void response.write('{"keys":[')],
    ["a broken connection", (request) => void request.socket.destroy()],
  ])("rejects %s as a key set: 503 at first, the cached keys afterwards", async (_what, answer) => {
    const fresh = await start(answer, { timeout: 300 });
    expect(await fresh.ask(one)).toBe(503);
    const { issuer, ask } = await start(keys(one.jwk), { age: 20, cooldown: 0, timeout: 300 });
    expect(await ask(one)).toBe("ann");
    issuer.answer = answer;
    await sleep(30);
    expect([await ask(one), await ask(one), await ask(stranger)]).toEqual(["ann", "ann", 401]);
    expect(issuer.asked.filter((path) => path !== "/jwks")).toEqual([]);
  });
});

describe("H09: while the issuer is unavailable", () => {
  test("returns 503 instead of 401 at start, and recovers", async () => {
    const { issuer, served, ask } = await start(fail, { cooldown: 50 });
    const token = await sign(one, ISSUER);
    const response = await fetch(`${served.url}/callers`, { headers: { authorization: `Bearer ${token}` } });
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await response.json()).toMatchObject({ code: "UNAVAILABLE" });
    expect(await askSocket(await openSocket(served.url, { authorization: `Bearer ${token}` }), undefined)).toBe(1013);
    for (const [door, ask_] of Object.entries(DOORS)) {
      expect([door, await ask_(served.url, { authorization: `Bearer ${token}` })]).toEqual([door, atDoor(door, 503)]);
      expect(await ask_(served.url, {})).toBe("nobody");
    }
    issuer.answer = keys(one.jwk);
    await sleep(60);
    expect(await ask(one)).toBe("ann");
  });

  test("uses known keys for a day (here 300 ms) and no longer", async () => {
    const { issuer, ask } = await start(keys(one.jwk), { age: 20, cooldown: 20, stale: 300 });
    expect(await ask(one)).toBe("ann");
    issuer.answer = fail;
    await sleep(60);
    expect(await ask(one)).toBe("ann");
    await sleep(300);
    expect(await ask(one)).toBe(503);
  });

  test("waits once for a slow response, and doesn't wait again after it failed", async () => {
    const { issuer, ask } = await start(keys(one.jwk), { age: 20, cooldown: 20, timeout: 250 });
    expect(await ask(one)).toBe("ann");
    issuer.answer = () => {};
    await sleep(30);
    expect(await ask(one)).toBe("ann");
    const start_ = performance.now();
    await sleep(30);
    expect(await ask(one)).toBe("ann");
    expect(performance.now() - start_).toBeLessThan(200);
  });
});

describe("H09: when keys change", () => {
  test("loads a new key with its first token, and drops the old key", async () => {
    const { issuer, ask } = await start(keys(one.jwk), { cooldown: 0 });
    expect([await ask(one), issuer.asked.length]).toEqual(["ann", 1]);
    issuer.answer = keys(two.jwk);
    expect([await ask(one), issuer.asked.length]).toEqual(["ann", 1]);
    expect([await ask(two), issuer.asked.length]).toEqual(["ann", 2]);
    expect(await ask(one)).toBe(401);
  });

  test("caches a set until its age is reached", async () => {
    const { issuer, ask } = await start(keys(one.jwk));
    for (let index = 0; index < 20; index += 1) expect(await ask(one)).toBe("ann");
    expect(issuer.asked).toEqual(["/jwks"]);
  });
});

test("H10: a flood of unknown key ids causes one request per cooldown, and known ids still work", async () => {
  const { issuer, ask } = await start(keys(one.jwk), { cooldown: 400 });
  expect(await ask(one)).toBe("ann");
  await sleep(420);
  const start_ = performance.now();
  const storm = await Promise.all(
    Array.from({ length: 300 }, async (_, index) => ask(index % 10 === 0 ? one : { ...stranger, kid: `k${index}` })),
  );
  expect(storm.filter((seen) => seen === "ann")).toHaveLength(30);
  expect(storm.filter((seen) => seen === 401)).toHaveLength(270);
  const coolDowns = Math.ceil((performance.now() - start_) / 400);
  expect(issuer.asked.length).toBeLessThanOrEqual(1 + coolDowns);
});

test("H10: concurrent first requests share one request for keys, even without a cooldown", async () => {
  const { issuer, ask } = await start(
    (request, response) => void setTimeout(() => keys(one.jwk)(request, response), 50),
    { cooldown: 0 },
  );
  expect(new Set(await Promise.all(Array.from({ length: 50 }, async () => ask(one))))).toEqual(new Set(["ann"]));
  expect(issuer.asked).toHaveLength(1);
});

test("H04: looks up a key id only in the configured set", async () => {
  const { issuer, ask } = await start(keys(one.jwk), { cooldown: 0 });
  for (const kid of ["../../dev/null", "' OR 1=1", "__proto__", "constructor", "http://127.0.0.1/jwk"]) {
    expect(await ask({ ...one, kid })).toBe(401);
  }
  expect(new Set(issuer.asked)).toEqual(new Set(["/jwks"]));
});

test("C16: requests the key set without the caller's credentials", async () => {
  const seen: IncomingMessage["headers"][] = [];
  const { ask } = await start((request, response) => {
    seen.push(request.headers);
    sendJson(response, { keys: [one.jwk satisfies JWK] });
  });
  await ask(one);
  expect(Object.keys(seen[0] ?? {}).toSorted()).toEqual(["accept", "connection", "host"]);
});
