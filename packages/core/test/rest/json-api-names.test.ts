import { expect, test } from "vitest";
import { z } from "zod";
import { allow, belongsTo, defineApi, defineResource, hasMany, memoryStore } from "../../src/index.ts";
import { ask } from "./json-api.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const seat = defineResource("seat", {
  key: ["hall", "seat"],
  fields: { hall: z.string(), seat: z.int32(), price: z.int32() },
  access,
});
const account = defineResource("account", {
  fields: { id: z.int32(), type: z.string(), accountType: z.string() },
  access,
});
const person = defineResource("person", {
  fields: { id: z.int32(), motherId: z.int32().nullable() },
  relations: { mother: belongsTo("person", "motherId"), relationships: hasMany("person", "motherId") },
  access,
});

const start = () =>
  defineApi({
    resources: [seat, account, person],
    store: memoryStore({ data: { person: [{ id: 1, motherId: null }] } }),
  });

test("the id of a new row sets all fields of its key", async () => {
  const api = start();
  const made = await ask(api, "POST", "/seats", { data: { type: "seats", id: "A%2F1,1", attributes: { price: 5 } } });
  expect(made).toMatchObject({ status: 201, location: "/seats/A%2F1,1" });
  expect(await api.local.seat.get({ hall: "A/1", seat: 1 })).toEqual({ hall: "A/1", seat: 1, price: 5 });
  const wrong = await ask(api, "POST", "/seats", { data: { type: "seats", id: "A", attributes: { price: 5 } } });
  expect(wrong).toMatchObject({
    status: 400,
    body: { errors: [{ detail: "'data.id' is not a valid id of seats. Use 'hall,seat'." }] },
  });
});

test("keeps two fields as two attributes", async () => {
  const api = start();
  const attributes = { accountTypeValue: "current", accountType: "business" };
  const made = await ask(api, "POST", "/accounts", { data: { type: "accounts", id: "1", attributes } });
  expect(made).toMatchObject({ status: 201, body: { data: { attributes } } });
  expect(await api.local.account.get(1)).toEqual({ id: 1, type: "current", accountType: "business" });
  const some = await ask(api, "GET", "/accounts/1?fields[accounts]=accountTypeValue");
  expect(some.body).toMatchObject({ data: { attributes: { accountTypeValue: "current" } } });
});

test("doesn't link to relationship URLs of a resource that has none", async () => {
  const { body } = await ask(start(), "GET", "/persons/1");
  expect(body).toMatchObject({
    data: {
      relationships: {
        mother: { links: { related: "/persons/1/mother" } },
        relationships: { links: { related: "/persons/1/relationships" } },
      },
    },
  });
  expect(JSON.stringify(body)).not.toContain("/persons/1/relationships/");
});
