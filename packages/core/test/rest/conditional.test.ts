import { expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  apiKeys,
  BifocalError,
  defineApi,
  defineResource,
  deny,
  memoryStore,
  silentLog,
  type Principal,
} from "../../src/index.ts";
import { send } from "../request.ts";
import { AS_ANN, createLibrary, NOTE } from "./library.ts";

const patch = { "content-type": "application/merge-patch+json" };

test("uses a version field as the ETag, and counts the writes of a row", async () => {
  const api = createLibrary();
  const first = await send(api, "GET", "/books/1");
  expect([first.headers["ETag"], first.body]).toEqual(['"1"', expect.objectContaining({ revision: 1 })]);
  const second = await send(api, "PATCH", "/books/1", { body: { price: 11 } });
  expect([second.headers["ETag"], second.body]).toEqual(['"2"', expect.objectContaining({ revision: 2 })]);
  // An empty patch doesn't increment the version.
  expect((await send(api, "PATCH", "/books/1", { body: {} })).headers["ETag"]).toBe('"2"');
  expect((await send(api, "POST", "/books/1/double")).headers["ETag"]).toBe('"3"');
  const created = await send(api, "POST", "/books", { body: { id: 9, title: "New", price: 1 } });
  expect([created.status, created.headers["ETag"]]).toEqual([201, '"1"']);
  for (const body of [{ revision: 7 }, { id: 10, title: "x", price: 1, revision: 7 }]) {
    const refused = await send(api, "id" in body ? "POST" : "PATCH", "id" in body ? "/books" : "/books/1", { body });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: ["revision"], code: "not_writable" }] } });
  }
});

test.each<[string, Record<string, string>, number]>([
  ["a matching If-Match", { "if-match": '"1"' }, 200],
  ["one matching ETag of several", { "if-match": '"0", "1"' }, 200],
  ["the ETag of another format with the same version", { "if-match": '"1.abc"' }, 200],
  ["any", { "if-match": "*" }, 200],
  ["If-Match that doesn't match", { "if-match": '"0"' }, 412],
  ["a weak tag", { "if-match": 'W/"1"' }, 412],
  ["If-None-Match without a match", { "if-none-match": '"0"' }, 200],
  ["If-None-Match with a match", { "if-none-match": '"1"' }, 412],
  ["a weak ETag that matches", { "if-none-match": 'W/"1"' }, 412],
  ["If-None-Match: *", { "if-none-match": "*" }, 412],
  ["both, the first failing", { "if-match": '"0"', "if-none-match": '"0"' }, 412],
  ["both, the second failing", { "if-match": '"1"', "if-none-match": '"1"' }, 412],
  ["an invalid ETag", { "if-match": "1" }, 400],
  ["an ETag that contains a comma beside a matching one", { "if-match": '"a,b", "1"' }, 200],
  ["empty elements", { "if-match": ', "1",' }, 200],
])("a change with %s", async (_what, headers, status) => {
  for (const method of ["PATCH", "PUT", "DELETE"]) {
    const api = createLibrary();
    const body = { id: 1, title: "Emma", price: 1, words: [], size: null, authorId: null };
    const parts = method === "DELETE" ? {} : { body: method === "PUT" ? body : { price: 1 } };
    const answer = await send(api, method, "/books/1", { ...parts, headers });
    expect([method, answer.status]).toEqual([method, status]);
    const after = await send(api, "GET", "/books/1");
    const isAsBefore = (after.body as { revision?: number }).revision === 1;
    expect([method, isAsBefore]).toEqual([method, status !== 200]);
  }
});

test("checks a precondition before the content, and after access and existence", async () => {
  const api = createLibrary();
  const headers = { ...patch, "if-match": '"0"' };
  expect((await send(api, "PATCH", "/books/1", { headers, body: { price: -1 } })).status).toBe(412);
  expect(
    (await send(api, "PATCH", "/books/1", { headers: { ...patch, "if-match": '"1"' }, body: { price: -1 } })).status,
  ).toBe(422);
  expect((await send(api, "PATCH", "/books/77", { headers, body: { price: 1 } })).status).toBe(404);
});

test.each<[string, Record<string, string>, number]>([
  ["If-None-Match with its ETag", { "if-none-match": "ETAG" }, 304],
  ["a weak form of its ETag", { "if-none-match": "W/ETAG" }, 304],
  ["with any", { "if-none-match": "*" }, 304],
  ["with another", { "if-none-match": '"other"' }, 200],
  ["If-Match with its ETag", { "if-match": "ETAG" }, 200],
  ["If-Match with another ETag", { "if-match": '"other"' }, 412],
  ["If-Match with a weak ETag", { "if-match": "W/ETAG" }, 412],
  ["If-Match that fails before If-None-Match", { "if-match": '"other"', "if-none-match": "ETAG" }, 412],
  ["If-Match and If-None-Match that both hold", { "if-match": "ETAG", "if-none-match": "ETAG" }, 304],
  ["If-Modified-Since, because the resource has no date", { "if-modified-since": new Date(0).toUTCString() }, 200],
])("a read with %s", async (_what, headers, status) => {
  const api = createLibrary();
  for (const [url, accept] of [
    ["/books/1", "application/json"],
    ["/books/1?fields=title&include=author", "application/json"],
    ["/books", "application/json"],
    ["/authors/1/books", "application/json"],
    ["/books/1/author", "application/json"],
    ["/books/1", "application/hal+json"],
    ["/books", "application/vnd.api+json"],
    ["/books?page[size]=2", "text/csv"],
  ] as const) {
    const { headers: first } = await send(api, "GET", url, { headers: { accept } }).catch(() => ({ headers: {} }));
    const { handle } = api;
    const { request } = await import("../request.ts");
    const plain = (await handle(request("GET", url, { headers: { accept } })))?.headers ?? first;
    const tag = (plain as Record<string, string>)["ETag"] as string;
    expect([url, tag]).toEqual([url, expect.stringMatching(/^"[^"]+"$/)]);
    const asked = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace("ETAG", tag)]),
    );
    const answer = await handle(request("GET", url, { headers: { accept, ...asked } }));
    expect([url, answer?.status]).toEqual([url, status]);
    if (status !== 304) continue;
    // RFC 9110 §15.4.5
    for (const name of ["ETag", "Cache-Control", "Vary"])
      expect(answer?.headers[name]).toBe((plain as Record<string, string>)[name]);
    expect(answer?.body).toBeNull();
  }
});

test("gives different rows, formats and selections different ETags", async () => {
  const api = createLibrary();
  const { request } = await import("../request.ts");
  const tags = new Set<string | undefined>();
  const asked = [
    ["/books/1", "application/json"],
    ["/books/1", "application/hal+json"],
    ["/books/1", "application/vnd.api+json"],
    ["/books/1", "application/xml"],
    ["/books/1?fields=title", "application/json"],
    ["/books", "application/json"],
    ["/books", "application/hal+json"],
    ["/books?page[size]=2", "application/json"],
    ["/authors/1", "application/json"],
  ] as const;
  for (const [url, accept] of asked)
    tags.add((await api.handle(request("GET", url, { headers: { accept } })))?.headers["ETag"]);
  expect(tags.size).toBe(asked.length);
  expect(tags.has(undefined)).toBe(false);
});

test("I12: lets one of several writers with the same version succeed", async () => {
  const api = createLibrary();
  const write = (price: number): ReturnType<typeof send> =>
    send(api, "PATCH", "/books/1", { headers: { ...patch, "if-match": '"1"' }, body: { price } });
  const answers = await Promise.all([1, 2, 3, 4, 5].map(write));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412, 412, 412]);
});

test("PUT creates a missing row if the resource allows it", async () => {
  const api = createLibrary();
  const body = { slug: "new", name: "New", owner: null };
  const made = await send(api, "PUT", "/tags/new", { body, headers: { "if-none-match": "*" } });
  expect(made).toMatchObject({ status: 201, headers: { Location: "/tags/new", ETag: expect.any(String) }, body });
  expect((await send(api, "PUT", "/tags/new", { body, headers: { "if-none-match": "*" } })).status).toBe(412);
  expect((await send(api, "PUT", "/tags/new", { body: { ...body, name: "Newer" } })).status).toBe(200);
  expect((await send(api, "PUT", "/tags/other", { body: { name: "Other", owner: null } })).body).toMatchObject({
    slug: "other",
  });
  expect(
    (await send(api, "PUT", "/tags/none", { body: { name: "x", owner: null }, headers: { "if-match": "*" } })).status,
  ).toBe(412);
  expect((await send(api, "PUT", "/tags/none", { body: { name: "x" } })).body).toMatchObject({
    errors: [{ path: ["owner"], code: "required" }],
  });
  expect((await send(api, "PUT", "/tags/none", { body: { slug: "else", name: "x", owner: null } })).status).toBe(422);
  expect((await send(api, "PUT", "/tags/hidden", { body: { slug: "hidden", name: "x", owner: null } })).status).toBe(
    409,
  );
  expect(
    (
      await send(api, "PUT", "/books/77", {
        body: { id: 77, title: "x", price: 1, words: [], size: null, authorId: null },
      })
    ).status,
  ).toBe(404);
  expect(
    await send(api, "PUT", "/tags/min", { body: { name: "x", owner: null }, headers: { prefer: "return=minimal" } }),
  ).toMatchObject({
    status: 201,
    body: null,
    headers: { Location: "/tags/min", "Preference-Applied": "return=minimal" },
  });
});

test("lets one of several concurrent PUTs create a row", async () => {
  const api = createLibrary();
  const answers = await Promise.all(
    [1, 2, 3, 4].map((n) =>
      send(api, "PUT", "/tags/race", { body: { name: `n${n}`, owner: null }, headers: { "if-none-match": "*" } }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 412, 412, 412]);
});

test("returns 428 for a change without a required precondition", async () => {
  const api = createLibrary();
  const at = `/notes/${NOTE}`;
  const demanded = { status: 428, body: { code: "PRECONDITION_REQUIRED" } };
  expect(await send(api, "PATCH", at, { body: { text: "x" } })).toMatchObject(demanded);
  expect(await send(api, "PUT", at, { body: { text: "x" } })).toMatchObject(demanded);
  expect(await send(api, "DELETE", at)).toMatchObject(demanded);
  const { headers } = await send(api, "GET", at);
  const changed = await send(api, "PATCH", at, {
    body: { text: "x" },
    headers: { "if-match": headers["ETag"] as string },
  });
  expect(changed.status).toBe(200);
  const other = at.replace(/1$/, "2");
  expect(await send(api, "PUT", other, { body: { text: "x" } })).toMatchObject(demanded);
  expect((await send(api, "PUT", other, { body: { text: "x" }, headers: { "if-none-match": "*" } })).status).toBe(201);
  expect(
    await send(api, "PUT", "/notes/no-uuid", { body: { text: "x" }, headers: { "if-none-match": "*" } }),
  ).toMatchObject({ status: 404 });
  const ask = await send(api, "POST", "/graphql", {
    body: { query: `mutation { updateNote(id: "${NOTE}", input: { text: "y" }) { id } }` },
  });
  expect(ask.body).toMatchObject({ errors: [{ extensions: { code: "PRECONDITION_REQUIRED" } }] });
});

test("supports the same preconditions and upsert in GraphQL", async () => {
  const api = createLibrary();
  const ask = async (query: string): Promise<unknown> =>
    (await send(api, "POST", "/graphql", { body: { query } })).body;
  const replace = (more: string): string =>
    `mutation { replaceTag(id: "gql", input: { slug: "gql", name: "N", owner: null }${more}) { slug } }`;
  expect(await ask(replace(', ifNoneMatch: "*"'))).toEqual({ data: { replaceTag: { slug: "gql" } } });
  expect(await ask(replace(', ifNoneMatch: "*"'))).toMatchObject({
    errors: [{ extensions: { code: "PRECONDITION_FAILED" } }],
  });
  const stale = await ask('mutation { updateBook(id: 1, input: { price: 1 }, ifMatch: "7") { id } }');
  expect(stale).toMatchObject({ errors: [{ extensions: { code: "PRECONDITION_FAILED" } }] });
  expect(await ask('mutation { updateBook(id: 1, input: { price: 1 }, ifMatch: "1") { revision } }')).toEqual({
    data: { updateBook: { revision: 2 } },
  });
});

test("sets Vary and Cache-Control by what the response depends on", async () => {
  const api = createLibrary();
  const of = async (url: string, headers = {}): Promise<unknown> => {
    const answer = await send(api, "GET", url, { headers });
    return [answer.headers["Cache-Control"], answer.headers["Vary"]];
  };
  expect(await of("/books/1")).toEqual(["private, no-cache", "Accept"]);
  expect(await of("/tags")).toEqual(["private, no-cache", "Accept, Authorization"]);
  expect(await of("/tags", AS_ANN)).toEqual(["private, no-cache", "Accept, Authorization"]);
  expect(await of("/authors")).toEqual(["private, no-cache", "Accept, Authorization"]);
  expect(await of("/authors?fields=name")).toEqual(["private, no-cache", "Accept"]);
  expect(await of(`/notes/${NOTE}`)).toEqual(["no-store", "Accept"]);
  expect(await of("/books", { "cache-control": "no-store" })).toEqual(["no-store", "Accept"]);
  expect(await of("/graphql?query={__typename}")).toEqual(["private, no-cache", "Accept, Authorization"]);
});

test("sets the headers of each read of the same row by its own request and version", async () => {
  const api = createLibrary();
  const read = async (method: string, headers = {}, url = "/books/1"): Promise<unknown> => {
    const answer = await send(api, method, url, { headers });
    return [answer.status, answer.headers["ETag"], answer.headers["Cache-Control"], answer.headers["Vary"]];
  };
  const usual = [200, '"1"', "private, no-cache", "Accept"];
  expect(await read("GET")).toEqual(usual);
  expect(await read("GET", { "cache-control": "no-store" })).toEqual([200, '"1"', "no-store", "Accept"]);
  expect(await read("GET")).toEqual(usual);
  expect(await read("GET", { prefer: "handling=lenient" })).toEqual([
    200,
    '"1"',
    "private, no-cache",
    "Accept, Prefer",
  ]);
  expect(await read("GET", {}, "/books/1?fields=title")).toEqual([
    200,
    expect.stringMatching(/^"1\./),
    ...usual.slice(2),
  ]);
  expect(await read("HEAD")).toEqual(usual);
  expect(await read("GET", { "if-none-match": '"1"' })).toEqual([304, ...usual.slice(1)]);
  expect(await read("GET", { "if-match": '"0"' })).toEqual([412, undefined, "no-store", undefined]);
  expect(await read("GET")).toEqual(usual);
  const [first, again] = [await send(api, "GET", "/books/1"), await send(api, "GET", "/books/1")];
  expect(again).toEqual(first);
  await send(api, "PATCH", "/books/1", { body: { price: 11 } });
  expect(await read("GET")).toEqual([200, '"2"', ...usual.slice(2)]);
});

test.each(["before", "after"])("doesn't cache a response publicly if a '%s' hook took part in it", async (time) => {
  const hook = {
    [time]: ({ principal }: { readonly principal: Principal | null }) => {
      if (principal === null) throw new BifocalError("FORBIDDEN", "Members only.");
    },
  };
  const cached = { fields: { id: z.int32() }, cache: { public: true, maxAge: 60 } } as const;
  const access = { read: allow, create: deny, update: deny, delete: deny };
  const api = defineApi({
    resources: [
      defineResource("paper", { ...cached, access, hooks: { get: hook } }),
      defineResource("list", { ...cached, access, hooks: { list: hook } }),
    ],
    store: memoryStore({ data: { paper: [{ id: 1 }], list: [{ id: 1 }] } }),
    auth: apiKeys({ ann: { id: "ann" } }),
  });
  const of = async (url: string): Promise<unknown> => {
    const { status, headers } = await send(api, "GET", url, { headers: AS_ANN });
    return [status, headers["Cache-Control"], headers["Vary"]];
  };
  for (const url of ["/papers/1", "/lists"]) {
    expect(await of(url)).toEqual([200, "private, no-cache", "Accept, Authorization, X-API-Key"]);
    expect((await send(api, "GET", url)).status).toBe(403);
  }
  for (const url of ["/papers", "/lists/1"]) expect(await of(url)).toEqual([200, "public, max-age=60", "Accept"]);
});

test.each<[string, unknown]>([
  ["application/merge-patch+json", { text: "x" }],
  ["application/json-patch+json", [{ op: "replace", path: "/text", value: "x" }]],
  ["application/json-patch+json", [{ op: "test", path: "/text", value: "another" }]],
])("requires a version for every kind of patch: %s", async (type, body) => {
  const api = createLibrary();
  const change = (headers: Record<string, string>) =>
    send(api, "PATCH", `/notes/${NOTE}`, { body, headers: { "content-type": type, ...headers } });
  expect((await change({})).status).toBe(428);
  expect((await change({ "if-match": '"0"' })).status).toBe(412);
});

test("checks a precondition before the tests of a JSON Patch", async () => {
  const api = createLibrary();
  const headers = { "content-type": "application/json-patch+json", "if-match": '"0"' };
  const steps = [
    [{ op: "test", path: "/price", value: 77 }],
    [{ op: "remove", path: "/nothing" }],
    [{ op: "replace", path: "", value: null }],
    [{ op: "replace", path: "/price", value: 1 }],
  ];
  for (const body of steps) {
    expect([body, (await send(api, "PATCH", "/books/1", { body, headers })).status]).toEqual([body, 412]);
  }
});

test("applies a precondition to an action on a row", async () => {
  const api = createLibrary();
  const act = (tag: string) => send(api, "POST", "/books/1/double", { headers: { "if-match": tag } });
  expect((await act('"0"')).status).toBe(412);
  expect((await send(api, "GET", "/books/1")).body).toMatchObject({ price: 10 });
  expect((await act('"1"')).status).toBe(200);
});

test.each<[string, string, unknown]>([
  ["POST", "/books", { id: 9, title: "New", price: 1 }],
  ["POST", "/authors/1/books", { id: 9, title: "New", price: 1 }],
  ["PUT", "/books/1/tags/old", undefined],
  ["DELETE", "/books/1/tags/old", undefined],
])("rejects a precondition for a request without existing rows of its own: %s %s", async (method, url, body) => {
  const api = createLibrary();
  const parts = body === undefined ? {} : { body };
  for (const headers of [{ "if-match": '"1"' }, { "if-none-match": "*" }]) {
    expect((await send(api, method, url, { ...parts, headers })).status).toBe(412);
  }
  expect((await send(api, "GET", "/books/1")).headers["ETag"]).toBe('"1"');
  // `*` matches any existing row.
  expect((await send(api, method, url, { ...parts, headers: { "if-match": "*" } })).status).toBeLessThan(300);
});

test("takes the key of a replacement from its URL, for the first and every later request", async () => {
  const api = createLibrary();
  const put = (body: unknown) => send(api, "PUT", "/tags/new", { body });
  expect((await put({ name: "New", owner: null })).status).toBe(201);
  expect(await put({ name: "Newer", owner: null })).toMatchObject({
    status: 200,
    body: { slug: "new", name: "Newer" },
  });
  expect(await put({ slug: "new", name: "Newest", owner: null })).toMatchObject({ status: 200 });
  // A key of null or another key in the body is rejected.
  for (const slug of ["new", "newest"]) {
    const { status } = await send(api, "PUT", `/tags/${slug}`, { body: { slug: null, name: "None", owner: null } });
    expect(status).toBe(422);
  }
  // A generated key may be repeated in the body.
  const headers = { "if-match": "*" };
  const note = (id: string) => send(api, "PUT", `/notes/${NOTE}`, { body: { id, text: "x" }, headers });
  expect([(await note(NOTE)).status, (await note(NOTE.replace("1", "2"))).status]).toEqual([200, 422]);
});

test("compares If-Match with the version of the fields that the caller can see", async () => {
  const part = defineResource("part", {
    fields: { id: z.int32(), name: z.string(), cost: z.int32() },
    access: { read: allow, create: allow, update: allow, delete: allow, fields: { cost: { read: deny } } },
  });
  const store = memoryStore({ data: { part: [{ id: 1, name: "Bolt", cost: 5 }] } });
  const api = defineApi({ resources: [part], store, log: silentLog });
  const read = await send(api, "GET", "/parts/1");
  expect(read.body).toEqual({ id: 1, name: "Bolt" });
  const headers = { ...patch, "if-match": String(read.headers["ETag"]) };
  const change = (name: string) => send(api, "PATCH", "/parts/1", { body: { name }, headers });
  expect([(await change("Nut")).status, (await change("Screw")).status]).toEqual([200, 412]);
});
