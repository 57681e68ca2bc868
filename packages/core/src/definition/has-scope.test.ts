import { expect, test } from "vitest";
import { missingScopes } from "./missing-scopes.ts";
import type { Principal } from "./principal.ts";
import { hasScope } from "./rules.ts";

const mayWrite = hasScope("books:write");

test.each<[who: string, principal: Principal | null, may: boolean]>([
  ["nobody", null, false],
  ["a credential without scopes", { id: "ann" }, false],
  ["a credential with no scope", { id: "ann", scopes: [] }, false],
  ["another scope", { id: "ann", scopes: ["books:read"] }, false],
  ["a scope with the same prefix", { id: "ann", scopes: ["books:write:all", "books"] }, false],
  ["a role of that name", { id: "ann", roles: ["books:write"] }, false],
  ["the scope", { id: "ann", scopes: ["books:read", "books:write"] }, true],
])("%s", (_, principal, may) => {
  expect(mayWrite({ principal })).toBe(may);
});

test("records missing scopes only for the principal that was refused", () => {
  const ann = { id: "ann", scopes: ["books:write"] };
  const ben = { id: "ben", scopes: [] };
  for (const principal of [ann, ben]) for (const scope of ["a", "books:write", "a"]) hasScope(scope)({ principal });
  expect(missingScopes(ann)).toEqual(["a"]);
  expect(missingScopes(ben)).toEqual(["a", "books:write"]);
});

test("denies scopes that are one text, which contains other names", () => {
  const principal = { id: "ann", scopes: "books:write:all" as never };
  expect(() => mayWrite({ principal })).toThrow(TypeError);
});
