import { jwt } from "@bifocal/jwt";
import { CompactEncrypt, generateKeyPair, importJWK, SignJWT } from "jose";
import { createHmac, KeyObject, type webcrypto } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCallers } from "./callers.ts";
import { atDoor, DOORS, type Seen } from "./doors.ts";
import { assemble, createKey, seconds, sendJson, sign, startServer, type Written } from "./issuer.ts";
import { ADAPTERS, type Served } from "./serve.ts";

const ISSUER = "https://id.example.com";
const AUDIENCE = "https://api.example.com";
const [ec, rsa, other] = [await createKey("ec"), await createKey("rsa", "RS256"), await createKey("ec")];
/** The key URL in the tokens. It must never be requested. */
const trap = await startServer((_request, response) => sendJson(response, { keys: [other.jwk] }));
afterAll(() => trap.close());

const good = { iss: ISSUER, aud: AUDIENCE, sub: "ann", iat: seconds(), exp: seconds() + 300 };
const of = (written: Written = {}): Promise<string> => sign(ec, ISSUER, written);
const claiming = (claims: Readonly<Record<string, unknown>>): Promise<string> => of({ claims });
const heading = (header: Readonly<Record<string, unknown>>): Promise<string> => of({ header });
const signed = await of();
const [head = "", body = "", signature = ""] = signed.split(".");

function signWithPublicKey(secret: string): string {
  const [header, payload] = assemble({ alg: "HS256", typ: "at+jwt", kid: "rsa" }, good).split(".");
  const mac = createHmac("sha256", secret).update(`${header}.${payload}`).digest("base64url");
  return `${header}.${payload}.${mac}`;
}
const spki = KeyObject.from((await importJWK(rsa.jwk, "RS256")) as webcrypto.CryptoKey)
  .export({ type: "spki", format: "pem" })
  .toString();

async function encrypted(): Promise<string> {
  const { publicKey } = await generateKeyPair("ECDH-ES");
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(good)))
    .setProtectedHeader({ alg: "ECDH-ES", enc: "A256GCM", kid: "ec" })
    .encrypt(publicKey);
}

const PRIVATE_PEM = KeyObject.from(ec.privateKey).export({ type: "pkcs8", format: "pem" }).toString();

const CASES: readonly (readonly [id: string, what: string, token: string | Promise<string>, seen: Seen])[] = [
  ["H00", "a good token", signed, "ann"],
  ["H00", "of the other algorithm", sign(rsa, ISSUER), "ann"],
  ["H00", "with no type", heading({ typ: undefined }), "ann"],
  ["H00", "with the type JWT", heading({ typ: "JWT" }), "ann"],
  ["H00", "with a long type", heading({ typ: "application/at+jwt" }), "ann"],
  ["H00", "for several audiences", claiming({ aud: ["https://other.example.com", AUDIENCE] }), "ann"],
  ["H00", "without iat", claiming({ iat: undefined }), "ann"],
  ["H01", "alg none", assemble({ alg: "none" }, good), 401],
  ["H01", "alg None", assemble({ alg: "None" }, good), 401],
  ["H01", "alg nOnE with a signature", `${assemble({ alg: "nOnE" }, good)}${signature}`, 401],
  ["H01", "alg none, and a known kid", assemble({ alg: "none", kid: "ec", typ: "at+jwt" }, good), 401],
  ["H01", "an empty alg", assemble({ alg: "" }, good), 401],
  ["H01", "alg as a list", assemble({ alg: ["ES256", "none"] }, good, signature), 401],
  ["H01", "no alg", assemble({ kid: "ec" }, good, signature), 401],
  ["H01", "an empty signature", `${head}.${body}.`, 401],
  ["H01", "two parts", `${head}.${body}`, 401],
  ["H01", "four parts", `${signed}.${signature}`, 401],
  ["H01", "no header", `.${body}.${signature}`, 401],
  ["H01", "another's signature", sign(rsa, ISSUER).then((token) => `${head}.${body}.${token.split(".")[2]}`), 401],
  [
    "H01",
    "another payload under the signature",
    assemble({}, { ...good, sub: "ben" }, signature).replace(/^[^.]+/, head),
    401,
  ],
  ["H01", "signed with a key of the same name", sign(other, ISSUER), 401],
  ["H02", "HS256 with the public key in PEM as secret", signWithPublicKey(spki), 401],
  ["H02", "HS256 with the JWK as secret", signWithPublicKey(JSON.stringify(rsa.jwk)), 401],
  ["H02", "a key under the name of a key of another type", sign({ ...ec, kid: "rsa" }, ISSUER), 401],
  [
    "H02",
    "another hash than the configuration lists",
    sign({ ...rsa, alg: "RS512", privateKey: (await createKey("rsa", "RS512")).privateKey }, ISSUER),
    401,
  ],
  ["H04", "kid as a path", heading({ kid: "../../dev/null" }), 401],
  ["H04", "kid as SQL", heading({ kid: "' OR 1=1 --" }), 401],
  ["H04", "kid __proto__", heading({ kid: "__proto__" }), 401],
  ["H04", "kid constructor", heading({ kid: "constructor" }), 401],
  ["H04", "kid as an object", assemble({ alg: "ES256", kid: { toString: "ec" } }, good, signature), 401],
  ["H04", "kid of 5,000 characters", heading({ kid: "k".repeat(5_000) }), 401],
  ["H05", "jku of an attacker", sign(other, ISSUER, { header: { jku: `${trap.url}/jwks`, kid: "new" } }), 401],
  ["H05", "jku and a known kid", sign(other, ISSUER, { header: { jku: `${trap.url}/jwks` } }), 401],
  ["H05", "a key in the header", sign(other, ISSUER, { header: { jwk: other.jwk } }), 401],
  ["H05", "x5u and x5c", sign(other, ISSUER, { header: { x5u: `${trap.url}/x5u`, x5c: ["AAAA"] } }), 401],
  ["H05", "a good signature and a jku, which is ignored", heading({ jku: `${trap.url}/jwks`, jwk: other.jwk }), "ann"],
  ["H06", "crit", heading({ crit: ["exp"], exp: 1 }), 401],
  ["H06", "b64 false", heading({ b64: false, crit: ["b64"] }), 401],
  ["H06", "crit that is empty", heading({ crit: [] }), 401],
  ["H06", "b64 true, which changes nothing", heading({ b64: true }), 401],
  [
    "H06",
    "compressed content",
    of({ header: { zip: "DEF" }, payload: deflateRawSync(Buffer.alloc(1e6)).toString("latin1") }),
    401,
  ],
  ["H06", "zip over uncompressed data", heading({ zip: "DEF" }), 401],
  ["H06", "an encrypted token", encrypted(), 401],
  ["H06", "a token within a token", of({ header: { cty: "JWT" }, payload: JSON.stringify(signed) }), 401],
  ["H06", "more than 8 KB", claiming({ padding: "p".repeat(8_000) }), 401],
  ["H07", "for another audience", claiming({ aud: "https://other.example.com" }), 401],
  ["H07", "without audience", claiming({ aud: undefined }), 401],
  ["H07", "an empty list of audiences", claiming({ aud: [] }), 401],
  ["H07", "audiences of others", claiming({ aud: ["a", "b"] }), 401],
  ["H07", "an audience with the same prefix", claiming({ aud: `${AUDIENCE}.evil.com` }), 401],
  ["H07", "a prefix of the audience", claiming({ aud: AUDIENCE.slice(0, -1) }), 401],
  ["H07", "an audience in another case", claiming({ aud: AUDIENCE.toUpperCase() }), 401],
  ["H07", "an audience that is an object", claiming({ aud: { 0: AUDIENCE } }), 401],
  ["H07", "another issuer", claiming({ iss: "https://evil.example.com" }), 401],
  ["H07", "the issuer with a slash", claiming({ iss: `${ISSUER}/` }), 401],
  ["H07", "the issuer as a list", claiming({ iss: [ISSUER] }), 401],
  ["H07", "without issuer", claiming({ iss: undefined }), 401],
  ["H07", "without exp", claiming({ exp: undefined }), 401],
  ["H07", "exp as text", claiming({ exp: String(seconds() + 300) }), 401],
  ["H07", "exp null", claiming({ exp: null }), 401],
  ["H07", "exp 1e999", of({ payload: JSON.stringify(good).replace(/"exp":\d+/, '"exp":1e999') }), 401],
  ["H07", "exp beyond the range of dates", claiming({ exp: 1e15 }), 401],
  ["H07", "exp negative", claiming({ exp: -1 }), 401],
  ["H07", "expired", claiming({ exp: seconds() - 31 }), 401],
  ["H17", "expired within the tolerance", claiming({ exp: seconds() - 10 }), "ann"],
  ["H17", "expired five minutes ago", claiming({ exp: seconds() - 300 }), 401],
  ["H07", "nbf in the future", claiming({ nbf: seconds() + 60 }), 401],
  ["H17", "nbf within the tolerance", claiming({ nbf: seconds() + 10 }), "ann"],
  ["H07", "nbf as text", claiming({ nbf: "0" }), 401],
  ["H07", "iat in the future", claiming({ iat: seconds() + 300 }), 401],
  ["H07", "iat as text", claiming({ iat: "yesterday" }), 401],
  ["H07", "without sub", claiming({ sub: undefined }), 401],
  ["H07", "an empty sub", claiming({ sub: "" }), 401],
  ["H07", "sub as an object", claiming({ sub: { id: "ann" } }), 401],
  ["H07", "sub as a number", claiming({ sub: 1 }), 401],
  ["H07", "a payload that is a list", of({ payload: JSON.stringify([good]) }), 401],
  ["H07", "a payload that isn't JSON", of({ payload: "{" }), 401],
  ["H08", "a logout token", heading({ typ: "logout+jwt" }), 401],
  ["H08", "a proof of possession", heading({ typ: "dpop+jwt" }), 401],
  ["H08", "a type that is a list", heading({ typ: ["at+jwt"] }), 401],
  ["H08", "an ID token, which is for the client", claiming({ aud: "client", nonce: "n" }), 401],
  ["H08", "a token that is bound to a key", claiming({ cnf: { jkt: "thumbprint" } }), 401],
];

const auth = jwt({ issuer: ISSUER, audience: AUDIENCE, algorithms: ["ES256", "RS256"], keys: [ec.jwk, rsa.jwk] });

describe.each(Object.entries(ADAPTERS))("on %s", (_, serve) => {
  let served: Served;
  beforeAll(async () => {
    served = await serve(createCallers(auth));
  });
  afterAll(() => served.close());

  describe.each(Object.entries(DOORS))("through %s", (door, ask) => {
    test.each(CASES)("%s: %s", async (_id, _what, token, seen) => {
      expect(await ask(served.url, { authorization: `Bearer ${await token}` })).toBe(atDoor(door, seen));
    });

    test.each<[what: string, value: string, seen: Seen]>([
      ["lower case", `bearer ${signed}`, "ann"],
      ["two spaces", `Bearer  ${signed}`, 401],
      ["a tab", `Bearer\t${signed}`, 401],
      ["a comma", `Bearer ${signed},${signed}`, 401],
      ["a second token", `Bearer ${signed} ${signed}`, 401],
      ["quotes", `Bearer "${signed}"`, 401],
      ["nothing after it", "Bearer", 401],
      ["no scheme", signed, 401],
      ["DPoP", `DPoP ${signed}`, 401],
      ["letters of Latin-1", "Bearer \u00e4\u00f6\u00fc", 401],
    ])("H14: %s", async (_what, authorization, seen) => {
      expect(await ask(served.url, { authorization })).toBe(atDoor(door, seen));
    });
  });

  test("explains a 401 (RFC 6750 §3) without repeating the token", async () => {
    const expired = await claiming({ exp: seconds() - 100 });
    const rejected = " Rejected credential: 'Authorization'.";
    const response = await fetch(`${served.url}/callers`, { headers: { authorization: `Bearer ${expired}` } });
    expect(response.headers.get("www-authenticate")).toBe(
      `Bearer error="invalid_token", error_description="The token has expired. Rejected credential: 'Authorization'."`,
    );
    expect(await response.json()).toMatchObject({
      code: "UNAUTHENTICATED",
      detail: `The token has expired.${rejected}`,
    });
    for (const claim of ["exp", "aud", "sub", "iat"]) {
      const authorization = `Bearer ${await claiming({ [claim]: claim === "iat" ? "now" : undefined })}`;
      const refused = await fetch(`${served.url}/callers`, { headers: { authorization } });
      expect(await refused.json()).toMatchObject({ detail: `The token's '${claim}' claim is not valid.${rejected}` });
    }
    const create = { method: "POST", headers: { "content-type": "application/json" }, body: '{"id":9,"name":"x"}' };
    const nobody = await fetch(`${served.url}/callers`, create);
    // A caller without credentials gets only the challenge, not an error.
    expect([nobody.status, nobody.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    const poor = { ...create, headers: { ...create.headers, authorization: `Bearer ${signed}` } };
    const forbidden = await fetch(`${served.url}/callers`, poor);
    expect([forbidden.status, forbidden.headers.get("www-authenticate")]).toEqual([
      403,
      'Bearer error="insufficient_scope", scope="callers:write"',
    ]);
    const token = await claiming({ scope: "callers:read callers:write" });
    const rich = { ...create, headers: { ...create.headers, authorization: `Bearer ${token}` } };
    expect((await fetch(`${served.url}/callers`, rich)).status).toBe(201);
  });

  test("still responds, with unchanged prototypes", async () => {
    expect(await DOORS["REST"]?.(served.url, {})).toBe("nobody");
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

test("H05: never requests the URLs in tokens", () => {
  expect(trap.asked).toEqual([]);
});

describe("H02: rejects keys and algorithms that cannot verify at start", () => {
  const { alg: _, ...nameless } = ec.jwk;
  const pair = { issuer: ISSUER, audience: AUDIENCE, keys: [ec.jwk] } as const;
  test.each<[what: string, define: () => unknown, message: RegExp]>([
    ["no algorithm", () => jwt({ ...pair, algorithms: [] as unknown as ["ES256"] }), /must not be empty/],
    ["none", () => jwt({ ...pair, algorithms: ["none" as "ES256"] }), /Unknown algorithm 'none'/],
    ["a secret beside a public key", () => jwt({ ...pair, algorithms: ["ES256", "HS256"] }), /List one kind only/],
    ["a key of another type", () => jwt({ ...pair, algorithms: ["RS256"] }), /doesn't fit any/],
    ["a key of another curve", () => jwt({ ...pair, keys: [nameless], algorithms: ["ES384"] }), /doesn't fit any/],
    [
      "a key that isn't an Edwards key",
      () => jwt({ ...pair, keys: [nameless], algorithms: ["EdDSA"] }),
      /doesn't fit any/,
    ],
    ["a key for another algorithm", () => jwt({ ...pair, algorithms: ["ES384"] }), /doesn't fit any/],
    [
      "a PEM as secret",
      () => jwt({ ...pair, algorithms: ["HS256"], keys: [{ secret: spki }] }),
      /must not be a key in PEM/,
    ],
    [
      "a JWK as secret",
      () => jwt({ ...pair, algorithms: ["HS256"], keys: [{ secret: JSON.stringify(rsa.jwk) }] }),
      /must not be a key in PEM/,
    ],
    [
      "a short secret",
      () => jwt({ ...pair, algorithms: ["HS256"], keys: [{ secret: "secret" }] }),
      /secret has 6 bytes/,
    ],
    [
      "a secret that is unset",
      () => jwt({ ...pair, algorithms: ["HS256"], keys: [{ kid: "1", secret: "" }] }),
      /'1' has 0 bytes/,
    ],
    ["no algorithms", () => jwt({ ...pair, algorithms: undefined as never }), /'algorithms' must not be empty/],
    [
      "a private key",
      () => jwt({ ...pair, algorithms: ["ES256"], keys: [{ ...ec.jwk, d: "AAAA" } as never] }),
      /Pass the public key/,
    ],
    [
      "a private key in PEM",
      () => jwt({ ...pair, algorithms: ["ES256"], keys: [{ pem: PRIVATE_PEM }] }),
      /Pass the public key/,
    ],
    [
      "a point off the curve",
      () => jwt({ ...pair, algorithms: ["ES256"], keys: [{ ...ec.jwk, y: ec.jwk.x ?? "" }] }),
      /./,
    ],
    ["no issuer", () => jwt({ ...pair, algorithms: ["ES256"], issuer: "" }), /'issuer'/],
    ["no audience", () => jwt({ ...pair, algorithms: ["ES256"], audience: [] }), /'audience'/],
    ["a tolerance of an hour", () => jwt({ ...pair, algorithms: ["ES256"], clockTolerance: 3_600 }), /300 seconds/],
    [
      "keys over http",
      () => jwt({ issuer: ISSUER, audience: AUDIENCE, algorithms: ["ES256"], jwksUrl: "http://id.example.com/jwks" }),
      /https/,
    ],
    [
      "a secret in a public set",
      () => jwt({ issuer: ISSUER, audience: AUDIENCE, algorithms: ["HS256"], jwksUrl: "https://id.example.com/jwks" }),
      /public set of keys contains no secrets/,
    ],
  ])("%s", (_, define, message) => {
    expect(define).toThrow(message);
  });
});

test("a shared secret of 32 bytes", async () => {
  const secret = Buffer.alloc(32, 7);
  const served = await ADAPTERS["node-http"](
    createCallers(jwt({ issuer: ISSUER, audience: AUDIENCE, algorithms: ["HS256"], keys: [{ secret }] })),
  );
  const token = await new SignJWT(good).setProtectedHeader({ alg: "HS256" }).sign(secret);
  expect(await DOORS["REST"]?.(served.url, { authorization: `Bearer ${token}` })).toBe("ann");
  expect(await DOORS["REST"]?.(served.url, { authorization: `Bearer ${signed}` })).toBe(401);
  await served.close();
});
