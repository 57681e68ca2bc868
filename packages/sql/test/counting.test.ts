import { allow, defineApi, defineResource, sequence } from "@bifocal/core";
import { fillStore } from "@bifocal/core/store";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const ticket = defineResource("ticket", {
  fields: { id: z.int32(), text: z.string() },
  generated: { id: sequence() },
  upsert: true,
  access,
});

describe.each(servers.filter(({ missing }) => missing === undefined))("sequences on $name continue", ({ create }) => {
  let database: TestDatabase;
  const open = () => {
    const store = sqlStore({ url: database.url, autoCreate: true });
    return { store, api: defineApi({ resources: [ticket], store }) };
  };
  let opened: ReturnType<typeof open>;
  beforeAll(async () => {
    database = await create();
  });
  beforeEach(async () => {
    await database.empty();
    opened = open();
    await opened.api.ready;
    return () => opened.api.close();
  });
  afterAll(() => database.drop());

  test("after the rows that a store was filled with", async () => {
    const { api, store } = opened;
    const rows = Array.from({ length: 3 }, (_, at) => ({ id: at + 1, text: "filled" }));
    await fillStore(store, api.model, { ticket: rows });
    expect(await api.local.ticket.create({ text: "next" })).toEqual({ id: 4, text: "next" });
  });

  test("after a key from a caller, and never go back to a lower one", async () => {
    const { local } = opened.api;
    await local.ticket.replace(5, { text: "given" });
    await local.ticket.replace(2, { text: "given" });
    expect(await local.ticket.create({ text: "next" })).toEqual({ id: 6, text: "next" });
  });
});
