import { expectTypeOf, test } from "vitest";
import { apiKeyResource, apiKeys, defineApi, type IssuedApiKey, createApiKey, principalFrom } from "../index.ts";

test("static API keys take principals, and stored ones use rows", () => {
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

test("the host's request has the parameter type of its function", () => {
  principalFrom((request: { readonly user?: { readonly id: string } }) => request.user ?? null);
  // @ts-expect-error a number is no id
  principalFrom((request: { readonly user: number }) => ({ id: request.user }));
});
