import { describe, expect, test } from "vitest";
import { answerText } from "../../answer.ts";
import { start } from "../notes.ts";
import { answerParts, openParts, readAll } from "./answer-parts.ts";
import { library } from "./library.ts";

const deferred = '{ book(id: 1) { title ... @defer(label: "by") { author { name } } } }';

test("rejects the directives by default", async () => {
  const { parts } = await answerParts(start().api, "{ book(id: 1) { ... @defer { title } } }", { accept: "*/*" });
  expect(parts).toMatchObject([{ errors: [{ message: 'Unknown directive "@defer".' }] }]);
});

describe("the formats of incremental responses", () => {
  test.each([
    "multipart/mixed",
    "multipart/mixed;incrementalSpec=v0.2, application/json;q=0.9",
    "text/html, Multipart/Mixed",
  ])("by announced ids: %s", async (accept) => {
    const { status, headers, parts } = await answerParts(library().api, deferred, { accept });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "Content-Type": 'multipart/mixed; boundary="-"; incrementalSpec=v0.2',
      "Cache-Control": "no-store",
      "X-Accel-Buffering": "no",
      Vary: expect.stringContaining("Accept") as string,
    });
    expect(parts).toEqual([
      { data: { book: { title: "Book 1" } }, pending: [{ id: "0", path: ["book"], label: "by" }], hasNext: true },
      { incremental: [{ id: "0", data: { author: { name: "Author 2" } } }], completed: [{ id: "0" }], hasNext: false },
    ]);
  });

  test("by paths, for older clients", async () => {
    const { headers, parts } = await answerParts(library().api, deferred, {
      accept: "multipart/mixed;deferSpec=20220824, application/json",
    });
    expect(headers["Content-Type"]).toBe('multipart/mixed; boundary="-"; deferSpec=20220824');
    expect(parts).toEqual([
      { data: { book: { title: "Book 1" } }, hasNext: true },
      { incremental: [{ data: { author: { name: "Author 2" } }, path: ["book"], label: "by" }], hasNext: false },
    ]);
  });

  test("writes each part completely before the next one", async () => {
    const pieces: string[] = [];
    for await (const piece of await openParts(library().api, deferred)) pieces.push(piece);
    const type = "Content-Type: application/json; charset=utf-8";
    expect(pieces.map((piece) => piece.replace(/\{.*\}/, "{}"))).toEqual([
      `\r\n---\r\n${type}\r\n\r\n{}\r\n---`,
      `\r\n${type}\r\n\r\n{}\r\n---`,
      "--\r\n",
    ]);
  });

  test("sends an event for each part, and an event at the end", async () => {
    const { headers, text } = await answerText(library().api, "POST", "/graphql", {
      headers: { accept: "text/event-stream" },
      body: { query: deferred },
    });
    expect(headers).toMatchObject({ "X-Accel-Buffering": "no" });
    const events = [...text.matchAll(/event: (\w+)\ndata: (.*)\n/g)].map(([, name, data]) => [name, data]);
    expect(events.map(([name]) => name)).toEqual(["next", "next", "complete"]);
    expect(JSON.parse(events[1]?.[1] as string)).toEqual({
      incremental: [{ id: "0", data: { author: { name: "Author 2" } } }],
      completed: [{ id: "0" }],
      hasNext: false,
    });
  });

  test("rejects an unsupported format", async () => {
    const { status } = await answerParts(library().api, deferred, { accept: "multipart/mixed;deferSpec=1" });
    expect(status).toBe(406);
  });
});

describe("an error affects only its own part", () => {
  test("for a field that the caller cannot read", async () => {
    const { parts } = await answerParts(library().api, "{ author(id: 1) { name ... @defer { email } } }");
    expect(parts).toMatchObject([
      { data: { author: { name: "Author 1" } } },
      {
        incremental: [
          { data: { email: null }, errors: [{ path: ["author", "email"], extensions: { code: "FORBIDDEN" } }] },
        ],
      },
    ]);
    expect(parts[0]).not.toHaveProperty("errors");
  });

  test("for a row that was deleted meanwhile", async () => {
    const { api } = library();
    const query = "{ review(id: 1) { stars ... @defer { book { title } } } }";
    const body = await openParts(api, query);
    await api.local.review.delete(1);
    const text = await readAll(body);
    expect(text).toContain('"completed":[{"id":"0","errors":[{"message":"There is no review with this id."');
    expect(text).toContain('"code":"NOT_FOUND"');
  });

  test("a store that fails", async () => {
    const { api, store } = library();
    const byKeys = store.byKeys.bind(store);
    let reads = 0;
    Object.assign(store, {
      byKeys: (...given: Parameters<typeof byKeys>) => {
        reads += 1;
        if (reads === 2) throw new Error("The disk is full.");
        return byKeys(...given);
      },
    });
    const { parts } = await answerParts(api, deferred);
    expect(parts).toMatchObject([
      { data: { book: { title: "Book 1" } } },
      {
        completed: [
          {
            id: "0",
            errors: [
              {
                message: "Something went wrong on the server. If you contact support, include the request id.",
                extensions: { code: "INTERNAL" },
              },
            ],
          },
        ],
      },
    ]);
  });
});

describe("limits apply to all parts together, before anything is read", () => {
  test("cost", async () => {
    const query = "{ books(first: 20) { nodes { title ... @defer { price } } } }";
    // 20 rows, and another 20.
    for (const [cost, isAnswered] of [
      [40, true],
      [39, false],
    ] as const) {
      const { api, calls } = library({ limits: { query: { cost } } });
      const { parts } = await answerParts(api, query);
      expect([cost, parts.length, calls.length]).toEqual([cost, isAnswered ? 2 : 1, isAnswered ? 2 : 0]);
    }
  });

  test("reports the cost with the last part", async () => {
    const { parts } = await answerParts(library({ cost: true }).api, deferred);
    expect(parts.at(-1)).toMatchObject({ extensions: { cost: 2 } });
  });

  test("counts levels of relations from the root", async () => {
    const query = "{ book(id: 1) { ... @defer { author { ... @defer { books { nodes { title } } } } } } }";
    const { api, calls } = library({ limits: { query: { selectionDepth: 1 } } });
    const { parts } = await answerParts(api, query);
    expect(parts).toMatchObject([
      { errors: [{ extensions: { code: "BAD_REQUEST", errors: [{ code: "too_deep" }] } }] },
    ]);
    expect(calls).toEqual([]);
  });

  test("counts deferred fragments and streamed lists", async () => {
    const part = (n: number) => `a${n}: title ... @defer(label: "${n}") { b${n}: price }`;
    const query = `{ book(id: 1) { ${Array.from({ length: 3 }, (_, n) => part(n)).join(" ")} } }`;
    const { api, calls } = library({ limits: { graphql: { incrementalParts: 2 } } });
    const { parts } = await answerParts(api, query);
    expect(parts).toMatchObject([{ errors: [{ extensions: { limit: "graphql.incrementalParts" } }] }]);
    expect(calls).toEqual([]);
  });
});

describe("a client that disconnects", () => {
  test("causes no further reads", async () => {
    const { api, calls } = library();
    const iterator = (await openParts(api, deferred))[Symbol.asyncIterator]();
    await iterator.next();
    await iterator.return?.();
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(calls).toEqual(["book.byKeys(1)"]);
  });
});

test("prints the schema for files with the directives, and for other servers without", () => {
  const { api } = library();
  expect(api.graphql.sdl()).toContain("directive @defer(");
  expect(api.graphql.schema.getDirective("defer")).toBeUndefined();
});

test("sends a subscription's result in one part", async () => {
  const { api } = library();
  const { parts } = await answerParts(api, "subscription { bookCreated { title ... @defer { price } } }");
  expect(parts).toMatchObject([
    { errors: [{ message: expect.stringContaining("not supported on subscription") as string }] },
  ]);
});

test("states how many errors exceed the limit of reported errors", async () => {
  const { api } = library({ limits: { graphql: { resultErrors: 2 } } });
  const { parts } = await answerParts(api, "{ authors { nodes { id email ... @defer { name } } } }");
  const errorsOf = (part: unknown): readonly { readonly message: string }[] =>
    (part as { errors?: readonly { readonly message: string }[] }).errors ?? [];
  expect(parts.flatMap(errorsOf).map(({ message }) => message)).toEqual([
    "You are not allowed to read 'email'.",
    "You are not allowed to read 'email'.",
    "2 more errors are not shown.",
  ]);
});

test("reports an invalid argument as an error of its field, even in a later part", async () => {
  const { api } = library();
  const { status, parts } = await answerParts(
    api,
    '{ author(id: "1") { id ... @defer { books(first: -1) { nodes { id } } } } other: author(id: "2") { name } }',
  );
  expect(status).toBe(200);
  expect(parts[0]).toMatchObject({ data: { author: { id: "1" }, other: { name: "Author 2" } } });
  expect(JSON.stringify(parts)).toContain('"path":["author","books"],"extensions":{"code":"BAD_REQUEST"');
});

test("rejects a negative initialCount", async () => {
  const { api } = library();
  for (const [query, variables] of [
    ["{ books { nodes @stream(initialCount: -1) { id } } }", {}],
    ["query ($n: Int!) { books { nodes @stream(initialCount: $n) { id } } }", { n: -1 }],
  ] as const) {
    const { parts } = await answerParts(api, query, { variables });
    expect(parts).toEqual([
      {
        errors: [{ message: "'initialCount' of @stream must be 0 or more.", extensions: { code: "BAD_REQUEST" } }],
      },
    ]);
  }
});
