import { expect, test } from "vitest";
import { createShareByKey } from "./share-by-key.ts";

test("shares a value from its second use on", () => {
  const share = createShareByKey<object>(1_000, 1);
  const first = share("a", () => ({}));
  const second = share("a", () => ({}));
  expect(second).not.toBe(first);
  expect(share("a", () => ({}))).toBe(second);
  expect(share("b", () => ({}))).not.toBe(second);
});

test("drops values when they exceed the maximum size", () => {
  const share = createShareByKey<object>(10, 1);
  const make = (key: string): object => {
    share(key, () => ({}));
    return share(key, () => ({}));
  };
  const old = make("old");
  for (const key of ["a", "b", "c"].map((name) => name.repeat(5))) make(key);
  expect(share("old", () => ({}))).not.toBe(old);
});
