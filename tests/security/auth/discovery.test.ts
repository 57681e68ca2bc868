import { oauth, type OAuthOptions } from "@bifocal/jwt";
import type { ServerResponse } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import type { z } from "zod";
import { createCallers } from "./callers.ts";
import { DOORS, type Seen } from "./doors.ts";
import { createKey, sendJson, sign, startServer } from "./issuer.ts";
import { ADAPTERS } from "./serve.ts";

const key = await createKey("one");
/** Another service of this machine, which must not receive a connection. */
let connections = 0;
const internal = createServer((socket) => {
  connections += 1;
  socket.destroy();
});
await new Promise<void>((resolve) => internal.listen(0, "0.0.0.0", resolve));
const { port } = internal.address() as AddressInfo;
afterAll(() => internal.close());
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Metadata = (url: string) => Readonly<Record<string, unknown>>;
const sound: Metadata = (url) => ({ issuer: url, jwks_uri: `${url}/jwks` });

/** Starts an issuer with the given metadata and returns the caller of one of its valid tokens. */
async function ask(
  metadata: Metadata,
  {
    path = "",
    at = /oauth-authorization-server/,
    host = "127.0.0.1",
    ...options
  }: Partial<OAuthOptions<z.ZodUnknown>> & { path?: string; at?: RegExp; host?: string } = {},
): Promise<{ readonly seen: Seen | undefined; readonly asked: readonly string[] }> {
  const issuer = await startServer((request, response: ServerResponse) => {
    if (request.url === "/jwks") sendJson(response, { keys: [key.jwk] });
    else if (at.test(request.url ?? "")) sendJson(response, metadata(base + path));
    else response.writeHead(404).end();
  });
  const base = issuer.url.replace("127.0.0.1", host);
  const auth = oauth({
    issuer: base + path,
    resource: "https://api.example.com",
    algorithms: ["ES256"],
    timeout: 500,
    ...options,
  });
  const served = await ADAPTERS["node-http"](createCallers(auth));
  closing.push(served.close, issuer.close);
  const authorization = `Bearer ${await sign(key, base + path)}`;
  return { seen: await DOORS["REST"]?.(served.url, { authorization }), asked: issuer.asked };
}

test("RFC 8414: discovers the metadata of an authorization server", async () => {
  expect(await ask(sound)).toEqual({ seen: "ann", asked: ["/.well-known/oauth-authorization-server", "/jwks"] });
});

test("RFC 8414 §3.1: appends the path of the issuer to the well-known path", async () => {
  const at = /^\/\.well-known\/oauth-authorization-server\/tenant$/;
  const { seen } = await ask((url) => ({ issuer: url, jwks_uri: url.replace("/tenant", "/jwks") }), {
    path: "/tenant",
    at,
  });
  expect(seen).toBe("ann");
});

test("OpenID Connect Discovery §4: appends the well-known path to the path of the issuer", async () => {
  const at = /^\/tenant\/\.well-known\/openid-configuration$/;
  const { seen, asked } = await ask((url) => ({ issuer: url, jwks_uri: url.replace("/tenant", "/jwks") }), {
    path: "/tenant",
    at,
  });
  expect([seen, asked[0], asked[1]]).toEqual([
    "ann",
    "/.well-known/oauth-authorization-server/tenant",
    "/tenant/.well-known/openid-configuration",
  ]);
});

describe("RFC 8414 §3.3: rejects metadata of another issuer", () => {
  test.each<[what: string, metadata: Metadata]>([
    ["another host", (url) => ({ ...sound(url), issuer: "https://evil.example.com" })],
    ["a slash more", (url) => ({ ...sound(url), issuer: `${url}/` })],
    ["no issuer", (url) => ({ jwks_uri: `${url}/jwks` })],
    ["a list", (url) => ({ ...sound(url), issuer: [url] })],
  ])("%s", async (_, metadata) => {
    const { seen, asked } = await ask(metadata);
    expect([seen, asked.includes("/jwks")]).toEqual([503, false]);
  });
});

describe("C16: metadata with URLs of other hosts", () => {
  beforeEach(() => {
    connections = 0;
  });

  test.each<[what: string, jwks_uri: unknown, host: string]>([
    ["another service of this machine, by a mapped address", `http://[::ffff:127.0.0.1]:${port}/jwks`, "127.0.0.1"],
    ["the same by https", `https://[::ffff:127.0.0.1]:${port}/jwks`, "127.0.0.1"],
    ["by a name", `https://localhost:${port}/jwks`, "127.0.0.1"],
    ["by its address", `https://127.0.0.1:${port}/jwks`, "localhost"],
    ["by another of its addresses", `https://127.0.0.2:${port}/jwks`, "127.0.0.1"],
    ["by an address as a number", `https://2130706433:${port}/jwks`, "localhost"],
    ["by an address as hexadecimal", `https://0x7f.1:${port}/jwks`, "localhost"],
    ["by the unspecified address", `https://0.0.0.0:${port}/jwks`, "127.0.0.1"],
    ["the metadata of a cloud", "http://169.254.169.254/latest/meta-data/", "127.0.0.1"],
    ["the same by https", "https://169.254.169.254/latest/meta-data/", "127.0.0.1"],
    ["a private network", "https://10.0.0.1/jwks", "127.0.0.1"],
    ["a file", "file:///etc/passwd", "127.0.0.1"],
    ["text", "data:application/json,{}", "127.0.0.1"],
    ["a name and a password", `http://user:password@127.0.0.1:${port}/jwks`, "127.0.0.1"],
    ["no text", 1, "127.0.0.1"],
  ])("%s (%s)", async (_, jwks_uri, host) => {
    const { seen } = await ask((url) => ({ ...sound(url), jwks_uri }), { host });
    expect([seen, connections]).toEqual([503, 0]);
  });

  test("requests keys only from the host of the issuer and from configured hosts", async () => {
    await ask((url) => ({ ...sound(url), jwks_uri: `http://127.0.0.1:${port}/jwks` }));
    expect(connections).toBe(1);
    await ask((url) => ({ ...sound(url), jwks_uri: `https://localhost:${port}/jwks` }), { hosts: ["localhost"] });
    expect(connections).toBeGreaterThan(1);
  });
});

test("rejects invalid options at start", () => {
  const good = {
    issuer: "https://id.example.com",
    resource: "https://api.example.com",
    algorithms: ["ES256"],
  } as const;
  const introspection = { clientId: "api", clientSecret: "secret", url: "http://id.example.com/introspect" };
  expect(() => oauth({ ...good, issuer: "http://id.example.com" })).toThrow("https");
  expect(() => oauth({ ...good, resource: "api" })).toThrow("'resource'");
  expect(() => oauth({ ...good, algorithms: ["HS256"] })).toThrow("secret");
  expect(() => oauth({ issuer: good.issuer, resource: good.resource })).toThrow("'introspection'");
  expect(() => oauth({ ...good, introspection })).toThrow("https");
  expect(() => oauth({ ...good, audience: "" })).toThrow("'audience'");
});
