import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Attack, ATTACKS, SUBSCRIPTIONS } from "./attacks.ts";
import { createLibrary, serve } from "./library.ts";
import { type Answered, TRANSPORTS } from "./transports.ts";

const library = createLibrary({ batching: true });
let served: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  served = await serve(library);
});
afterAll(() => served.close());

/** Checks that a client gets a few errors with a code, about the exceeded limit. */
function expectRefusal({ data, errors = [] }: Answered, { refusal }: Attack): void {
  expect(Object.values(data ?? {}).filter((value) => value !== null)).toEqual([]);
  expect(errors.length).toBeGreaterThan(0);
  expect(errors.length).toBeLessThanOrEqual(21);
  const [first] = errors;
  const { code, limit, errors: issues } = first?.extensions ?? {};
  const found = { message: first?.message, code, limit, issue: issues?.[0]?.code };
  const { message = /./, ...named } = refusal;
  expect(found).toMatchObject({ code: "BAD_REQUEST", message: expect.stringMatching(message), ...named });
}

describe.each(Object.entries(TRANSPORTS))("over %s", (name, ask) => {
  const all = name === "WebSocket" || name === "event stream" ? [...ATTACKS, ...SUBSCRIPTIONS] : ATTACKS;

  test.each(all)("rejects $id ($name) without running anything", async (attack) => {
    library.calls.length = 0;
    expectRefusal(await ask(served.url, attack.ask(1)), attack);
    expect(library.calls).toEqual([]);
  });

  test("still responds", async () => {
    expect(await ask(served.url, { query: "{ book(id: 1) { title author { name } } }" })).toEqual({
      data: { book: { title: "Emma", author: { name: "Jane Austen" } } },
    });
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("E05: batches", () => {
  const send = async (url: string, body: unknown): Promise<number> => {
    const headers = { "content-type": "application/json" };
    return (await fetch(`${url}/graphql`, { method: "POST", headers, body: JSON.stringify(body) })).status;
  };
  const requests = (count: number) => Array.from({ length: count }, () => ({ query: "{ book(id: 1) { title } }" }));

  test("rejects a thousand requests in one batch, nested lists and an empty list", async () => {
    library.calls.length = 0;
    expect(await send(served.url, requests(1_000))).toBe(400);
    expect(await send(served.url, [])).toBe(400);
    expect(await send(served.url, [requests(10)])).toBe(200);
    expect(library.calls).toEqual([]);
  });

  test("are rejected by default", async () => {
    const plain = createLibrary();
    const { url, close } = await serve(plain);
    expect(await send(url, requests(2))).toBe(400);
    expect(plain.calls).toEqual([]);
    await close();
  });
});
