import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { readScalar } from "../bundle.ts";
import { START } from "../src/client-bundle.ts";
import { scalar, type ScalarOptions } from "../src/index.ts";
import { SCALAR_VERSION } from "../src/version.ts";

const VIEW = { title: "Shop", openapi: "/api/openapi.json", assets: "/api/-" };
const OAUTH: ScalarOptions = {
  oauth: { clientId: "docs", scopes: ["books:read"], server: "https://id.example.com/tenant" },
};
const ENDPOINTS = { authorizationUrl: "https://id.example.com/authorize", tokenUrl: "https://id.example.com/token" };
const CLIENT = {
  "x-scalar-client-id": "docs",
  "x-scalar-redirect-uri": "https://shop.example/api/-/oauth2-redirect.html",
  "x-usePkce": "SHA-256",
};

/** The arguments with which the page's script starts Scalar. Responses are JSON, by their URL. */
async function start(options: ScalarOptions, responses: Readonly<Record<string, object>> = {}) {
  const html = scalar(options).page(VIEW);
  const data = [...html.matchAll(/ data-(\w+)="([^"]*)"/g)].map(([, name, value = ""]) => [
    name,
    value.replaceAll("&quot;", '"'),
  ]);
  const properties: string[] = [];
  const configuration = await new Promise<object>((resolve) => {
    runInNewContext(START, {
      URL,
      location: { href: "https://shop.example/api/docs", origin: "https://shop.example" },
      document: {
        documentElement: { style: { setProperty: (...property: string[]) => properties.push(property.join(":")) } },
        getElementById: () => ({ dataset: Object.fromEntries(data) as object }),
      },
      addEventListener: (_name: string, listener: () => void) => listener(),
      fetch: (url: string) =>
        responses[url] === undefined ? Promise.reject(new Error(url)) : Promise.resolve(Response.json(responses[url])),
      Scalar: { createApiReference: (_place: object, given: object) => resolve(given) },
    });
  });
  return { configuration, properties };
}

const contentOf = (document: object) => expect.objectContaining({ content: expect.objectContaining(document) });
const described = (scheme: object) => ({
  security: [{}, { apiKey: [] }, { oauth: [] }],
  components: { schemas: {}, securitySchemes: { apiKey: { type: "apiKey" }, oauth: scheme } },
});

test("uses the version of Scalar in the URL of its script", () => {
  expect(readScalar().version).toBe(SCALAR_VERSION);
  expect(scalar().page(VIEW)).toContain(`<script src="/api/-/scalar.js?v=${SCALAR_VERSION}" defer></script>`);
});

test("serves Scalar's script without its source map", () => {
  const { body } = scalar().assets["scalar.js"] ?? {};
  const script = typeof body === "function" ? body() : body;
  expect(Buffer.from(script ?? "").toString()).toMatch(/createApiReference[^\n]*\n$/);
});

test("without 'oauth', offers no client and connects only to its own server", async () => {
  const { configuration, properties } = await start({});
  expect(configuration).toEqual(expect.objectContaining({ url: "/api/openapi.json", withDefaultFonts: false }));
  expect(properties).toEqual(["--brand:"]);
  const { headers, assets } = scalar();
  expect(headers["Content-Security-Policy"]).toContain("connect-src 'self';");
  expect(Object.keys(assets)).not.toContain("oauth2-redirect.html");
});

test("with 'oauth', may connect to the authorization server, but loads no script from it", () => {
  const { headers, assets } = scalar(OAUTH);
  const policy = headers["Content-Security-Policy"] ?? "";
  expect(policy).toContain("connect-src 'self' https://id.example.com;");
  expect(policy).toContain("script-src 'self';");
  expect(Object.keys(assets)).toContain("oauth2-redirect.html");
});

test("adds the client to a server with known endpoints, and selects its scopes", async () => {
  const flows = { authorizationCode: { ...ENDPOINTS, scopes: { "books:write": "Change books" } } };
  const document = described({ type: "oauth2", flows });
  const scopes = { "books:read": "", "books:write": "Change books" };
  expect((await start(OAUTH, { "/api/openapi.json": document })).configuration).toEqual(
    contentOf({
      security: [{}, { apiKey: [] }, { oauth: ["books:read"] }],
      components: {
        schemas: {},
        securitySchemes: {
          apiKey: { type: "apiKey" },
          oauth: { type: "oauth2", flows: { authorizationCode: { ...ENDPOINTS, scopes, ...CLIENT } } },
        },
      },
    }),
  );
});

test("shows the document as it is if the authorization server has no metadata", async () => {
  const document = described({ type: "openIdConnect", openIdConnectUrl: "https://id.example.com/missing" });
  const { configuration } = await start(OAUTH, { "/api/openapi.json": document });
  expect(configuration).toHaveProperty("content", document);
});

test("puts the host of the page into code samples, and leaves the rest of the document as it is", async () => {
  const sample = (host: string): object => ({ "x-codeSamples": [{ lang: "Shell", source: `curl '${host}/books'` }] });
  const described = (host: string): object => ({ info: { description: "https://api.example.com" }, get: sample(host) });
  const { configuration } = await start({}, { "/api/openapi.json": described("https://api.example.com") });
  expect(configuration).toHaveProperty("content", described("https://shop.example"));
});

test("lets Scalar report that the document can't be read", async () => {
  const { configuration } = await start({});
  expect(configuration).toHaveProperty("url", "/api/openapi.json");
  expect(configuration).not.toHaveProperty("content");
});

test("uses a given mark and color", async () => {
  expect(scalar({ mark: "/logo.svg" }).page(VIEW)).toContain('<link rel="icon" href="/logo.svg">');
  expect((await start({ color: "#7c2d12" })).properties).toEqual(["--brand:#7c2d12"]);
  expect(() => scalar({ color: "brown" })).toThrow(
    "options.color must be a color such as '#0b57d0'; received 'brown'.",
  );
});
