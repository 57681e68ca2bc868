import { describe, expect, test } from "vitest";
import { z } from "zod";
import { allow, decimal, defineApi, defineResource, memoryStore, silentLog } from "../src/index.ts";
import { ask, send } from "./request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };

const invoice = defineResource("invoice", {
  fields: {
    id: z.int32(),
    amount: decimal({ precision: 10, scale: 2, min: "-1000", max: "99999999.99" }),
    rate: decimal({ precision: 4, scale: 4 }).nullable(),
    fee: decimal({ precision: 5, scale: 1 }).default("1"),
    parts: z.array(decimal({ precision: 3, scale: 1 })).default([]),
  },
  access,
  unique: ["rate"],
  filterable: ["amount", "fee", "parts"],
  sortable: ["amount"],
  actions: {
    double: {
      on: "item",
      access: allow,
      run: ({ item, store }) => store.update(item.id, { amount: String(Number(item.amount) * 2) }),
    },
  },
});

function create() {
  const data = {
    invoice: ["10", "9.5", "-2", "100.05"].map((amount, index) => ({
      id: index + 1,
      amount,
      rate: null,
      fee: "2",
      parts: [],
    })),
  };
  return defineApi({ resources: [invoice], store: memoryStore({ data }), log: silentLog });
}

describe("a decimal", () => {
  test("is stored in one form, whatever its form in the input", async () => {
    const api = create();
    for (const [index, [given, stored]] of [
      ["12.5", "12.50"],
      ["0012.50", "12.50"],
      ["-0", "0.00"],
      ["-0.01", "-0.01"],
    ].entries()) {
      const body = { id: 10 + index, amount: given, parts: ["1", "02.5"] };
      const expected = { id: 10 + index, amount: stored, rate: null, fee: "1.0", parts: ["1.0", "2.5"] };
      expect(await send(api, "POST", "/invoices", { body })).toMatchObject({ status: 201, body: expected });
      expect(await api.local.invoice.get(10 + index)).toEqual(expected);
    }
  });

  test("is in that form after an action has written it", async () => {
    const api = create();
    expect(await send(api, "POST", "/invoices/2/double")).toMatchObject({ status: 200, body: { amount: "19.00" } });
  });

  test.each([
    [
      "12.345",
      'Expected a decimal as a string, such as "12.50", with at most 8 digits before the point and 2 after it.',
    ],
    [
      "123456789",
      'Expected a decimal as a string, such as "12.50", with at most 8 digits before the point and 2 after it.',
    ],
    [12.5, 'Expected a decimal as a string, such as "12.50", with at most 8 digits before the point and 2 after it.'],
    ["1e3", 'Expected a decimal as a string, such as "12.50", with at most 8 digits before the point and 2 after it.'],
    ["", 'Expected a decimal as a string, such as "12.50", with at most 8 digits before the point and 2 after it.'],
    ["-1000.01", "Expected a decimal between -1000.00 and 99999999.99."],
  ])("rejects %j with 422 in both styles", async (amount, message) => {
    const api = create();
    const errors = [{ path: ["amount"], message }];
    expect(await send(api, "POST", "/invoices", { body: { id: 9, amount } })).toMatchObject({
      status: 422,
      body: { errors },
    });
    if (typeof amount !== "string") return;
    const document = `mutation { createInvoice(input: { id: 9, amount: ${JSON.stringify(amount)} }) { id } }`;
    expect(await ask(api, document)).toMatchObject({
      errors: [{ extensions: { code: "VALIDATION_FAILED", errors } }],
    });
  });

  test("is compared, ranged over and sorted as a number in both styles", async () => {
    const api = create();
    const list = async (query: string): Promise<unknown> =>
      ((await send(api, "GET", `/invoices?fields=id&${query}`)).body as { id: number }[]).map(({ id }) => id);
    expect(await list("sort=amount")).toEqual([3, 2, 1, 4]);
    expect(await list("filter[amount]=10.0")).toEqual([1]);
    expect(await list("filter[amount][gte]=9.5&filter[amount][lt]=100.05")).toEqual([1, 2]);
    expect(await list("filter[fee][in]=2.0")).toEqual([1, 2, 3, 4]);
    const document = `{ invoices(filter: { amount: { between: ["-5", "10"] } }, sort: [AMOUNT_DESC]) { nodes { id amount } } }`;
    expect(await ask(api, document)).toEqual({
      data: {
        invoices: {
          nodes: [
            { id: "1", amount: "10.00" },
            { id: "2", amount: "9.50" },
            { id: "3", amount: "-2.00" },
          ],
        },
      },
    });
    const { items } = await api.local.invoice.list({ filter: { amount: { gt: "9.50" } }, sort: ["-amount"] });
    expect(items.map(({ id }) => id)).toEqual([4, 1]);
  });

  test("rejects a filter with too many digits, a number in a document, and operators of text", async () => {
    const api = create();
    expect(await send(api, "GET", "/invoices?filter[amount][gt]=1.234")).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining("with at most 8 digits before the point and 2 after it") as string },
    });
    expect(await send(api, "GET", "/invoices?filter[amount][contains]=1")).toMatchObject({ status: 400 });
    expect(await ask(api, "{ invoices(filter: { amount: { gt: 1.5 } }) { nodes { id } } }")).toMatchObject({
      errors: [{ message: expect.stringContaining("Decimal must be a string.") as string }],
    });
  });

  test("is unique by its value", async () => {
    const api = create();
    expect(await send(api, "POST", "/invoices", { body: { id: 8, amount: "1", rate: "0.5" } })).toMatchObject({
      status: 201,
    });
    expect(await send(api, "POST", "/invoices", { body: { id: 9, amount: "1", rate: "0.5000" } })).toMatchObject({
      status: 409,
    });
  });

  test("is a Decimal in SDL, and a string with a pattern in OpenAPI", async () => {
    const api = create();
    const sdl = api.graphql.sdl();
    expect(sdl).toContain("scalar Decimal");
    expect(sdl).toMatch(/type Invoice .*?amount: Decimal!.*?rate: Decimal\n/s);
    expect(sdl).toMatch(/input UpdateInvoiceInput .*?fee: Decimal/s);
    const { body } = await send(api, "GET", "/openapi.json");
    const { components } = body as { components: { schemas: Record<string, unknown> } };
    expect(components.schemas["Invoice"]).toMatchObject({
      properties: {
        amount: { type: "string", format: "decimal", pattern: "^-?\\d{1,8}(\\.\\d{1,2})?$", examples: ["1.00"] },
        rate: { type: ["string", "null"], format: "decimal", pattern: "^-?0(\\.\\d{1,4})?$" },
      },
    });
  });

  test("is refused as a key", () => {
    const fields = { id: decimal({ precision: 3, scale: 0 }) };
    expect(() => defineApi({ resources: [defineResource("odd", { fields, access })] })).toThrow(
      "A key must be a string or an integer",
    );
  });

  test.each([
    [10, "The options of decimal() must be an object; received a number."],
    [{ precison: 10, scale: 2 }, "decimal() has no option 'precison'. Did you mean 'precision'?"],
    [{ precision: 10, scale: 2, min: 0 }, "The option 'min' of decimal() must be a string; received a number."],
  ])("rejects %j in place of its options", (options, message) => {
    expect(() => decimal(options as never)).toThrow(message);
  });

  test.each([
    [{ precision: 0, scale: 0 }, "'precision' of a decimal must be an integer between 1 and 65."],
    [{ precision: 66, scale: 0 }, "'precision' of a decimal must be an integer between 1 and 65."],
    [{ precision: 4, scale: 5 }, "'scale' of a decimal must be an integer between 0 and 4, because 'precision' is 4."],
    [{ precision: 4, scale: 1, min: "1.23" }, "'min' of a decimal must be a decimal as a string"],
  ])("throws for the options %j", (options, message) => {
    expect(() => decimal(options)).toThrow(message);
  });
});
