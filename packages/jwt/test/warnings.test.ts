import { expect, test } from "vitest";
import { jwt } from "../src/index.ts";

const options = { issuer: "https://id.example.com", audience: "https://api.example.com" };

function codesOf({ warnings = [] }: ReturnType<typeof jwt>): readonly string[] {
  return warnings.map(({ code }) => code);
}

test("warns of tokens that are signed with a shared secret", () => {
  const shared = jwt({ ...options, algorithms: ["HS256"], keys: [{ secret: "x".repeat(32) }] });
  expect(codesOf(shared)).toEqual(["shared_token_secret"]);
});

test("warns of keys that are fetched over plain HTTP", () => {
  const plain = jwt({ ...options, algorithms: ["ES256"], jwksUrl: "http://127.0.0.1:1/jwks" });
  expect(codesOf(plain)).toEqual(["http_jwks"]);
});

test("does not warn of public keys that are fetched over HTTPS", () => {
  const safe = jwt({ ...options, algorithms: ["ES256"], jwksUrl: "https://id.example.com/jwks" });
  expect(codesOf(safe)).toEqual([]);
});
