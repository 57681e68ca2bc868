import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { allow, decimal, defineResource, type InputOf, type RowOf } from "../index.ts";

const fields = {
  id: z.uuid(),
  price: decimal({ precision: 10, scale: 2 }),
  discount: decimal({ precision: 10, scale: 2 }).nullable(),
  fee: decimal({ precision: 4, scale: 2 }).default("0"),
};

test("a decimal is a string in rows and inputs", () => {
  expectTypeOf<RowOf<typeof fields>>().toEqualTypeOf<{
    id: string;
    price: string;
    discount: string | null;
    fee: string;
  }>();
  expectTypeOf<InputOf<typeof fields>>().toEqualTypeOf<{
    id: string;
    price: string;
    discount: string | null;
    fee?: string | undefined;
  }>();
});

test("its bounds are strings", () => {
  // @ts-expect-error: a number can't hold every decimal
  decimal({ precision: 10, scale: 2, min: 0 });
  // @ts-expect-error: the scale is missing
  decimal({ precision: 10 });
  const access = { read: allow, create: allow, update: allow, delete: allow };
  // @ts-expect-error: a number can't hold every decimal
  defineResource("book", { fields, access: { ...access, read: () => ({ price: { gt: 1 } }) } });
});
