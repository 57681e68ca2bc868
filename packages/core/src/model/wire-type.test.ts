import { describe, expect, test } from "vitest";
import { operatorsOf, type WireType } from "./wire-type.ts";

const own = { nullable: false } as const;
const text = { kind: "string", ...own } as WireType;
const listOf = (item: WireType): WireType => ({ kind: "list", item, ...own });

describe("a list", () => {
  test("has the list operators if its items are scalars", () => {
    expect(operatorsOf(listOf(text))).toEqual(["has", "hasSome", "hasEvery", "isNull"]);
  });

  const object = { kind: "object", fields: new Map(), ...own } as unknown as WireType;
  test.each([object, listOf(text), { kind: "json", ...own } as WireType])(
    "has only `isNull` if its items are %o",
    (item) => {
      expect(operatorsOf(listOf(item))).toEqual(["isNull"]);
    },
  );
});
