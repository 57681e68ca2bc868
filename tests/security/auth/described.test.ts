import { apiKeyResource, apiKeys, type Authenticator, defineApi, principalFrom, signedIn } from "@bifocal/core";
import { jwt, oauth } from "@bifocal/jwt";
import { graphiql } from "@bifocal/graphiql";
import { describe, expect, test } from "vitest";
import { ADAPTERS } from "./serve.ts";

const issuer = "https://id.example.com";
const resource = "https://api.example.com";
const algorithms = ["ES256"] as const;
const scopes = { "books:read": "Read books" };
const endpoints = { authorizationUrl: `${issuer}/authorize`, tokenUrl: `${issuer}/token` };
const token = jwt({ issuer, audience: resource, algorithms, jwksUrl: `${issuer}/jwks`, realm: 'the "library"' });
const key = apiKeys({ resource: "apiKey", header: "X-Library-Key" });

interface Said {
  readonly schemes: Readonly<Record<string, unknown>>;
  readonly challenge: string;
  /** The headers that GraphiQL and the HTML pages offer. */
  readonly headers: readonly string[];
}
const bearer = { type: "http", scheme: "bearer" };
const CASES: readonly (readonly [what: string, auth: Authenticator | readonly Authenticator[], said: Said])[] = [
  ["nothing", [], { schemes: {}, challenge: "Bearer", headers: [] }],
  [
    "keys in the code",
    apiKeys({ key: { id: "ann" } }),
    {
      schemes: { bearer, apiKey: { type: "apiKey", in: "header", name: "X-API-Key" } },
      challenge: "Bearer",
      headers: ["Authorization", "X-API-Key"],
    },
  ],
  [
    "keys in a resource",
    key,
    {
      schemes: { apiKey: { type: "apiKey", in: "header", name: "X-Library-Key" } },
      challenge: 'ApiKey header="X-Library-Key"',
      headers: ["X-Library-Key"],
    },
  ],
  [
    "tokens",
    token,
    {
      schemes: { bearer: { ...bearer, bearerFormat: "JWT" } },
      challenge: "Bearer realm=\"the 'library'\"",
      headers: ["Authorization"],
    },
  ],
  [
    "OAuth, by discovery",
    oauth({ issuer, resource, algorithms, scopes }),
    {
      schemes: { oauth: { type: "openIdConnect", openIdConnectUrl: `${issuer}/.well-known/openid-configuration` } },
      challenge: `Bearer resource_metadata="${resource}/.well-known/oauth-protected-resource"`,
      headers: ["Authorization"],
    },
  ],
  [
    "OAuth, with its endpoints",
    oauth({ issuer, resource, algorithms, scopes, endpoints }),
    {
      schemes: { oauth: { type: "oauth2", flows: { authorizationCode: { ...endpoints, scopes } } } },
      challenge: `Bearer resource_metadata="${resource}/.well-known/oauth-protected-resource"`,
      headers: ["Authorization"],
    },
  ],
  ["a session", principalFrom(() => null), { schemes: {}, challenge: "Session", headers: [] }],
  [
    "tokens, keys and a session",
    [token, key, principalFrom(() => null)],
    {
      schemes: {
        bearer: { ...bearer, bearerFormat: "JWT" },
        apiKey: { type: "apiKey", in: "header", name: "X-Library-Key" },
      },
      challenge: 'Bearer realm="the \'library\'", ApiKey header="X-Library-Key", Session',
      headers: ["Authorization", "X-Library-Key"],
    },
  ],
];

describe.each(CASES)("%s", (_, auth, said) => {
  const access = { read: signedIn };
  const api = defineApi({ resources: [apiKeyResource({ access })], auth, graphql: { graphiql: graphiql() } });

  test("in OpenAPI", () => {
    const { components, security } = api.openapi() as unknown as {
      readonly components: { readonly securitySchemes?: object };
      readonly security: readonly object[];
    };
    const names = Object.keys(said.schemes);
    expect(components.securitySchemes ?? {}).toMatchObject(said.schemes);
    expect(Object.keys(components.securitySchemes ?? {})).toEqual(names);
    expect(security).toEqual([{}, ...names.map((name) => ({ [name]: [] }))]);
  });

  test("in a 401, in GraphiQL and in the form of the HTML pages", async () => {
    const served = await ADAPTERS.fastify(api);
    const refused = await fetch(`${served.url}/api-keys`);
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, said.challenge]);
    const editor = await (await fetch(`${served.url}/graphql`, { headers: { accept: "text/html" } })).text();
    const offered = [...editor.matchAll(/&#47;&#47; &#34;([\w-]+)&#34;|\/\/ &#34;([\w-]+)&#34;/g)].map(
      ([, one, two]) => one ?? two,
    );
    expect(offered).toEqual(said.headers);
    const page = await (await fetch(served.url, { headers: { accept: "text/html" } })).text();
    const options = [...page.matchAll(/<option>([\w-]+)/g)].map(([, name]) => name);
    expect(options).toEqual(said.headers);
    await served.close();
  });
});
