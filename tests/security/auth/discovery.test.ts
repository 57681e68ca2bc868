import { oauth, type OAuthOptions } from "@bifocal/core/oauth";
import type { ServerResponse } from "node:http";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import type { z } from "zod";
import { createCallers } from "./callers.ts";
import { DOORS, type Seen } from "./doors.ts";
import { createKey, sendJson, sign, startServer } from "./issuer.ts";
import { ADAPTERS } from "./serve.ts";

const key = await createKey("one");
const internal = await startServer((_request, response) => sendJson(response, { keys: [key.jwk] }));
afterAll(() => internal.close());
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Metadata = (url: string) => Readonly<Record<string, unknown>>;
const sound: Metadata = (url) => ({ issuer: url, jwks_uri: `${url}/jwks` });

/** An issuer that says of itself what the test wants, and who a good token of its is taken for. */
async function ask(
  metadata: Metadata,
  {
    path = "",
    at = /oauth-authorization-server/,
    ...options
  }: Partial<OAuthOptions<z.ZodUnknown>> & { path?: string; at?: RegExp } = {},
): Promise<{ readonly seen: Seen | undefined; readonly asked: readonly string[] }> {
  const issuer = await startServer((request, response: ServerResponse) => {
    if (request.url === "/jwks") sendJson(response, { keys: [key.jwk] });
    else if (at.test(request.url ?? "")) sendJson(response, metadata(issuer.url + path));
    else response.writeHead(404).end();
  });
  const auth = oauth({
    issuer: issuer.url + path,
    resource: "https://api.example.com",
    algorithms: ["ES256"],
    timeout: 500,
    ...options,
  });
  const served = await ADAPTERS["node-http"](createCallers(auth));
  closing.push(served.close, issuer.close);
  const authorization = `Bearer ${await sign(key, issuer.url + path)}`;
  return { seen: await DOORS["REST"]?.(served.url, { authorization }), asked: issuer.asked };
}

test("RFC 8414: by the metadata of an authorization server", async () => {
  expect(await ask(sound)).toEqual({ seen: "ann", asked: ["/.well-known/oauth-authorization-server", "/jwks"] });
});

test("RFC 8414 §3.1: the path of an issuer stands behind the well-known name", async () => {
  const at = /^\/\.well-known\/oauth-authorization-server\/tenant$/;
  const { seen } = await ask((url) => ({ issuer: url, jwks_uri: url.replace("/tenant", "/jwks") }), {
    path: "/tenant",
    at,
  });
  expect(seen).toBe("ann");
});

test("OpenID Connect Discovery §4: or before it", async () => {
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

describe("RFC 8414 §3.3: who says that they are another issuer is not believed", () => {
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

describe("C16: metadata that sends us elsewhere", () => {
  const port = new URL(internal.url).port;
  test.each([
    ["another service of this machine, by a mapped address", `http://[::ffff:127.0.0.1]:${port}/jwks`],
    ["the same by https", `https://[::ffff:127.0.0.1]:${port}/jwks`],
    ["by a name", `https://localhost:${port}/jwks`],
    ["the metadata of a cloud", "http://169.254.169.254/latest/meta-data/"],
    ["the same by https", "https://169.254.169.254/latest/meta-data/"],
    ["a private network", "https://10.0.0.1/jwks"],
    ["an address as a number", `https://2130706433:${port}/jwks`],
    ["an address as hexadecimal", `https://0x7f.1:${port}/jwks`],
    ["an unspecified address", `https://0.0.0.0:${port}/jwks`],
    ["a file", "file:///etc/passwd"],
    ["text", "data:application/json,{}"],
    ["a name and a password", `http://user:password@127.0.0.1:${port}/jwks`],
    ["no text", 1],
  ])("%s (%s)", async (_, jwks_uri) => {
    const { seen } = await ask((url) => ({ ...sound(url), jwks_uri }));
    expect([seen, internal.asked]).toEqual([503, []]);
  });

  test("a host that the configuration names is asked", async () => {
    const { seen } = await ask((url) => ({ ...sound(url), jwks_uri: `http://localhost:${port}/jwks` }), {
      hosts: ["localhost"],
    });
    expect([seen, internal.asked]).toEqual(["ann", ["/jwks"]]);
  });
});

test("what cannot work is refused at start", () => {
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
