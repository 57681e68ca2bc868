import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import {
  apiKeyResource,
  apiKeys,
  defineApi,
  type IssuedApiKey,
  createApiKey,
  principalFrom,
  type Principal,
} from "../index.ts";
import { jwt, type JwtClaims } from "./jwt/jwt.ts";
import { oauth } from "./oauth/oauth.ts";

const place = { issuer: "https://id.example.com", audience: "https://api.example.com" } as const;
const jwksUrl = "https://id.example.com/jwks";
const claims = z.object({ tenant: z.string(), level: z.number().optional() });
declare const principal: Principal | null;

test("the claims of a token have the types of the schema, and the standard ones", () => {
  const tokens = jwt({ ...place, algorithms: ["ES256"], jwksUrl, claims });
  const known = tokens.claimsOf(principal);
  expectTypeOf(known).not.toBeAny();
  expectTypeOf(known).extract<undefined>().toBeUndefined();
  expectTypeOf(known?.tenant).toEqualTypeOf<string | undefined>();
  expectTypeOf(known?.level).toEqualTypeOf<number | undefined>();
  expectTypeOf(known?.sub).toEqualTypeOf<string | undefined>();
  expectTypeOf(known?.exp).toEqualTypeOf<number | undefined>();
  const others = oauth({ issuer: place.issuer, resource: place.audience, algorithms: ["ES256"], claims });
  expectTypeOf(others.claimsOf(principal)?.tenant).toEqualTypeOf<string | undefined>();
});

test("without a schema they are the standard ones, and unknown values", () => {
  const known = jwt({ ...place, algorithms: ["ES256"], jwksUrl }).claimsOf(principal);
  expectTypeOf(known).toExtend<JwtClaims | undefined>();
  expectTypeOf(known?.["tenant"]).toBeUnknown();
});

test("who makes the principal gets the claims with their types", () => {
  jwt({
    ...place,
    algorithms: ["ES256"],
    jwksUrl,
    claims,
    principal: (given) => {
      expectTypeOf(given.tenant).toBeString();
      expectTypeOf(given.iss).toBeString();
      return { id: `${given.tenant}/${given.sub}` };
    },
    isActive: (who, given) => {
      expectTypeOf(who.id).toBeString();
      return given.tenant !== "closed";
    },
  });
  // @ts-expect-error a principal has an id
  jwt({ ...place, algorithms: ["ES256"], jwksUrl, principal: () => ({ roles: [] }) });
  // @ts-expect-error the schema has no such claim of this type
  jwt({ ...place, algorithms: ["ES256"], jwksUrl, claims, principal: ({ tenant }) => ({ id: tenant.toFixed() }) });
});

test("what tokens need must be said", () => {
  // @ts-expect-error no algorithm
  jwt({ ...place, jwksUrl });
  // @ts-expect-error an empty list of them
  void (() => jwt({ ...place, jwksUrl, algorithms: [] }));
  // @ts-expect-error 'none' is none
  void (() => jwt({ ...place, jwksUrl, algorithms: ["none"] }));
  // @ts-expect-error no audience
  void (() => jwt({ issuer: place.issuer, jwksUrl, algorithms: ["ES256"] }));
  // @ts-expect-error neither keys nor their place
  void (() => jwt({ ...place, algorithms: ["ES256"] }));
  // @ts-expect-error both
  void (() => jwt({ ...place, algorithms: ["ES256"], jwksUrl, keys: [{ secret: "" }] }));
  // @ts-expect-error no resource
  void (() => oauth({ issuer: place.issuer, algorithms: ["ES256"] }));
});

test("API keys: static ones are principals, stored ones are rows", () => {
  const keys = apiKeyResource();
  const api = defineApi({ resources: [keys], auth: apiKeys({ resource: "apiKey" }) });
  const read = async () => api.local.apiKey.get("id");
  type Row = NonNullable<Awaited<ReturnType<typeof read>>>;
  expectTypeOf<Row>().toHaveProperty("principalId").toBeString();
  expectTypeOf<Row>().toHaveProperty("scopes").toEqualTypeOf<string[]>();
  expectTypeOf<Row>().not.toHaveProperty("secretHash");
  expectTypeOf(createApiKey(api, { name: "a", principalId: "ann" })).resolves.toEqualTypeOf<IssuedApiKey>();
  expectTypeOf(apiKeyResource({ name: "token" }).name).toEqualTypeOf<"token">();
  // @ts-expect-error a principal has an id
  apiKeys({ key: { roles: [] } });
  // @ts-expect-error whose it is
  void (() => createApiKey(api, { name: "a" }));
});

test("a host's request has the type that its function takes", () => {
  principalFrom((request: { readonly user?: { readonly id: string } }) => request.user ?? null);
  // @ts-expect-error a number is no id
  principalFrom((request: { readonly user: number }) => ({ id: request.user }));
});
