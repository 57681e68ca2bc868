import { expectTypeOf, test } from "vitest";
import type { FieldFilter } from "./filters.ts";

test("lists of scalars have the list operators", () => {
  expectTypeOf<{ has: string }>().toExtend<FieldFilter<string[]>>();
  expectTypeOf<{ hasSome: ("a" | "b" | null)[] }>().toExtend<FieldFilter<("a" | "b" | null)[] | null>>();
  expectTypeOf<{ hasEvery: bigint[] }>().toExtend<FieldFilter<readonly bigint[]>>();
});

test("other lists have only `isNull`", () => {
  expectTypeOf<{ isNull: boolean }>().toExtend<FieldFilter<{ a: number }[] | null>>();
  // @ts-expect-error an object has parts
  const object: FieldFilter<{ a: number }[]> = { has: { a: 1 } };
  // @ts-expect-error a list has parts
  const list: FieldFilter<number[][]> = { has: [1] };
  expectTypeOf(object).not.toBeAny();
  expectTypeOf(list).not.toBeAny();
});
