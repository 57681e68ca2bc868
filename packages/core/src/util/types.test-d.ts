import type * as typeFest from "type-fest";
import { expectTypeOf, test } from "vitest";
import type { Simplify } from "./simplify.ts";
import type { UnionToIntersection } from "./union-to-intersection.ts";

test("the types are those of type-fest", () => {
  type Some = { readonly a: 1 } & { b?: string };
  expectTypeOf<Simplify<Some>>().toEqualTypeOf<typeFest.Simplify<Some>>();
  expectTypeOf<Simplify<Some>>().toEqualTypeOf<{ readonly a: 1; b?: string }>();
  type Union = { a: 1 } | { b: 2 };
  expectTypeOf<UnionToIntersection<Union>>().toEqualTypeOf<typeFest.UnionToIntersection<Union>>();
  expectTypeOf<UnionToIntersection<Union>>().toEqualTypeOf<{ a: 1 } & { b: 2 }>();
  expectTypeOf<UnionToIntersection<never>>().toEqualTypeOf<typeFest.UnionToIntersection<never>>();
});
