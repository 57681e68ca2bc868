import { expectTypeOf, test } from "vitest";
import type { FieldFilter } from "./filters.ts";

test("lists of what has no parts may be asked what they have", () => {
  expectTypeOf<{ has: string }>().toExtend<FieldFilter<string[]>>();
  expectTypeOf<{ hasSome: ("a" | "b" | null)[] }>().toExtend<FieldFilter<("a" | "b" | null)[] | null>>();
  expectTypeOf<{ hasEvery: bigint[] }>().toExtend<FieldFilter<readonly bigint[]>>();
});

test("others only whether they are there", () => {
  expectTypeOf<{ isNull: boolean }>().toExtend<FieldFilter<{ a: number }[] | null>>();
  // @ts-expect-error an object has parts
  const object: FieldFilter<{ a: number }[]> = { has: { a: 1 } };
  // @ts-expect-error a list has parts
  const list: FieldFilter<number[][]> = { has: [1] };
  expectTypeOf(object).not.toBeAny();
  expectTypeOf(list).not.toBeAny();
});
