import { beforeEach, describe, expect, test } from "vitest";
import { asSystem } from "../../src/index.ts";
import { ask, send } from "../request.ts";
import { createClub } from "./club.ts";

const ALL = "/books/1?fields=title,tags.name,reviews.id,reviews.stars,reviews.replies.text";
const AS_EDITOR = { authorization: "editor" };
const AS_READER = { authorization: "reader" };

type Club = ReturnType<typeof createClub>;
type Issues = readonly { readonly path: readonly unknown[]; readonly code: string; readonly message: string }[];

let api: Club;
beforeEach(async () => {
  api = createClub();
  const system = api.as(asSystem("a test"));
  for (const name of ["a", "b", "c"]) await system.tag.create({ name, isSecret: false });
  await system.tag.create({ name: "secret", isSecret: true });
  await system.tag.create({ name: "locked", isSecret: false, isLocked: true });
  await system.book.create({
    title: "Emma",
    tags: ["a", "secret"],
    reviews: [{ stars: 3, slot: 1, replies: [{ text: "no" }] }, { stars: 4 }],
  });
  await system.book.create({ title: "Other", reviews: [{ stars: 1 }] });
  await system.review.create({ bookId: 1, stars: 1, isHidden: true });
});

const patch = async (body: unknown, headers = AS_READER, path = "/books/1") =>
  send(api, "PATCH", path, { headers, body });
const read = async () => (await send(api, "GET", ALL, { headers: AS_EDITOR })).body as Record<string, unknown>;
const issuesOf = ({ body }: { readonly body: unknown }) =>
  ((body as { readonly errors: Issues }).errors ?? []).map(({ path, code }) => `${path.join(".")} ${code}`);
const tagsOf = async () => ((await read())["tags"] as readonly { name: string }[]).map(({ name }) => name).toSorted();

describe("links in an update", () => {
  test("a list sets the links, and keeps those to rows that the caller can't see", async () => {
    expect((await patch({ tags: ["b", "c"] })).status).toBe(200);
    expect(await tagsOf()).toEqual(["b", "c", "secret"]);
    expect((await patch({ tags: [] }, AS_EDITOR)).status).toBe(200);
    expect(await tagsOf()).toEqual([]);
  });

  test("an object adds and removes links, and has no effect on the others", async () => {
    expect((await patch({ title: "New", tags: { add: ["b", "a"], remove: ["c"] } })).status).toBe(200);
    expect(await tagsOf()).toEqual(["a", "b", "secret"]);
    expect(await read()).toMatchObject({ title: "New" });
    expect((await patch({ tags: { remove: ["a"] } })).status).toBe(200);
    expect(await tagsOf()).toEqual(["b", "secret"]);
    expect((await patch({ tags: {} })).status).toBe(200);
    expect(await tagsOf()).toEqual(["b", "secret"]);
  });

  test("a replacement sets the links, or leaves them unchanged without a list", async () => {
    const replace = async (body: unknown) => send(api, "PUT", "/books/1", { headers: AS_EDITOR, body });
    expect((await replace({ title: "New" })).status).toBe(200);
    expect(await tagsOf()).toEqual(["a", "secret"]);
    expect((await replace({ title: "New", tags: ["c"] })).status).toBe(200);
    expect(await tagsOf()).toEqual(["c"]);
    expect(issuesOf(await replace({ title: "New", tags: { add: ["a"] } }))).toEqual(["tags invalid_type"]);
  });

  test("a JSON Patch sets and changes links", async () => {
    const headers = { ...AS_EDITOR, "content-type": "application/json-patch+json" };
    await patch([{ op: "add", path: "/tags", value: ["b"] }], headers);
    expect(await tagsOf()).toEqual(["b"]);
    await patch([{ op: "add", path: "/tags", value: { add: ["c"] } }], headers);
    expect(await tagsOf()).toEqual(["b", "c"]);
  });

  test.each([
    [{ tags: null }, "tags invalid_type"],
    [{ tags: "a" }, "tags invalid_type"],
    [{ tags: { add: "a" } }, "tags.add invalid_type"],
    [{ tags: { ad: ["a"] } }, "tags.ad unrecognized_key"],
    [{ tags: ["a", "a"] }, "tags.1 duplicate"],
    [{ tags: { add: ["a"], remove: ["a"] } }, "tags.remove.0 duplicate"],
    [{ tags: ["a", "missing"] }, "tags.1 unknown_reference"],
    [{ tags: ["secret"] }, "tags.0 unknown_reference"],
    [{ tags: { remove: ["secret"] } }, "tags.remove.0 unknown_reference"],
    [{ tags: [{}] }, "tags.0 unknown_reference"],
    [{ tags: ["1", "2", "3", "4", "5"] }, "tags too_big"],
    [{ tags: { set: ["a"] } }, "tags.set unrecognized_key"],
    [{ lists: [1] }, "lists unrecognized_key"],
  ])("rejects %j", async (body, issue) => {
    const answer = await patch(body);
    expect(answer.status).toBe(422);
    expect(issuesOf(answer)).toEqual([issue]);
    expect(await tagsOf()).toEqual(["a", "secret"]);
  });

  test("needs the right to link on both sides, and undoes everything without it", async () => {
    const answer = await patch({ title: "New", tags: { add: ["b", "locked"] } });
    expect(answer).toMatchObject({ status: 403 });
    expect(issuesOf(answer)).toEqual(["tags.add.1 FORBIDDEN"]);
    expect(await read()).toMatchObject({ title: "Emma" });
    expect(await tagsOf()).toEqual(["a", "secret"]);
    expect((await patch({ tags: { add: ["locked"] } }, AS_EDITOR)).status).toBe(200);
    // The list would remove a link that the caller can't remove.
    const set = await patch({ tags: [] });
    expect(set.status).toBe(403);
    expect(issuesOf(set)).toEqual(["tags FORBIDDEN"]);
    expect((await patch({ tags: ["locked", "b"] })).status).toBe(200);
  });

  test("a create links rows, in a batch too", async () => {
    const body = [
      { title: "X", tags: ["a", "b"] },
      { title: "Y", tags: [] },
    ];
    expect((await send(api, "POST", "/books", { headers: AS_READER, body })).status).toBe(201);
    const found = await send(api, "GET", "/books/3?fields=tags.name");
    expect(found.body).toEqual({ tags: [{ name: "a" }, { name: "b" }] });
    const wrong = await send(api, "POST", "/books", {
      headers: AS_READER,
      body: [body[1], { title: "Z", tags: ["q"] }],
    });
    expect(issuesOf(wrong)).toEqual(["1.tags.0 unknown_reference"]);
    expect((await send(api, "GET", "/books/5")).status).toBe(404);
    const refused = await send(api, "POST", "/books", {
      headers: AS_READER,
      body: { title: "Z", tags: { add: ["a"] } },
    });
    expect(issuesOf(refused)).toEqual(["tags invalid_type"]);
  });
});

describe("related rows in an update", () => {
  test("creates, updates and deletes them, each with its own event", async () => {
    const events: string[] = [];
    const system = api.as(asSystem("a test"));
    const collect = async (name: string, changes: AsyncIterable<{ readonly kind: string }>) => {
      for await (const { kind } of changes) events.push(`${name} ${kind}`);
    };
    void collect("book", system.book.watch());
    void collect("review", system.review.watch());
    void collect("reply", system.reply.watch());
    await new Promise((resolve) => setTimeout(resolve, 5));
    const body = {
      title: "New",
      reviews: {
        create: [{ stars: 5, slot: 1, replies: [{ text: "yes" }] }],
        update: [{ id: 2, stars: 1 }],
        delete: [1],
      },
    };
    expect((await patch(body, AS_EDITOR)).status).toBe(200);
    expect(await read()).toEqual({
      title: "New",
      tags: [{ name: "a" }, { name: "secret" }],
      reviews: [
        { id: 2, stars: 1, replies: [] },
        { id: 4, stars: 1, replies: [] },
        { id: 5, stars: 5, replies: [{ text: "yes" }] },
      ],
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(events.toSorted()).toEqual(
      [
        "book updated",
        "reply deleted",
        "review deleted",
        "review updated",
        "review created",
        "reply created",
      ].toSorted(),
    );
  });

  test("changes rows of related rows", async () => {
    const replies = { create: [{ text: "more" }], update: [{ id: 1, text: "well" }] };
    expect((await patch({ reviews: { update: [{ id: 1, replies }] } })).status).toBe(200);
    expect(await read()).toMatchObject({ reviews: [{ replies: [{ text: "well" }, { text: "more" }] }, {}, {}] });
    const wrong = await patch({ reviews: { update: [{ id: 2, replies: { update: [{ id: 1, text: "x" }] } }] } });
    expect(issuesOf(wrong)).toEqual(["reviews.update.0.replies.update.0.id unknown_reference"]);
  });

  test.each([
    [{ reviews: null }, ["reviews invalid_type"]],
    [{ reviews: [{ stars: 1 }] }, ["reviews invalid_type"]],
    [
      {
        reviews: {
          update: [
            { id: 1, stars: 9 },
            { id: 2, stars: 0 },
          ],
        },
      },
      ["reviews.update.0.stars too_big", "reviews.update.1.stars too_small"],
    ],
    [
      { title: "", reviews: { create: [{}], update: [{ stars: 1 }] } },
      ["title too_small", "reviews.update.0.id required", "reviews.create.0.stars required"],
    ],
    // A row of another book, a hidden one, and a missing one look alike.
    [{ reviews: { update: [{ id: 3, stars: 2 }] } }, ["reviews.update.0.id unknown_reference"]],
    [{ reviews: { update: [{ id: 4, stars: 2 }] } }, ["reviews.update.0.id unknown_reference"]],
    [{ reviews: { update: [{ id: 9, stars: 2 }] } }, ["reviews.update.0.id unknown_reference"]],
    [{ reviews: { update: [{ id: 1, bookId: 2 }] } }, ["reviews.update.0.bookId contradiction"]],
    [{ reviews: { create: [{ stars: 1, bookId: 1 }] } }, ["reviews.create.0.bookId contradiction"]],
    [{ reviews: { update: [{ id: 1 }, { id: "1" }] } }, ["reviews.update.1.id duplicate"]],
    [{ reviews: { create: [{ stars: 1 }, { stars: 1 }, { stars: 1 }] } }, ["reviews.create too_big"]],
    [{ reviews: { update: [{ id: 1, stars: 4, ifMatch: 5 }] } }, ["reviews.update.0.ifMatch invalid_type"]],
    [{ reviews: { update: [{ id: 1, starz: 4 }] } }, ["reviews.update.0.starz unrecognized_key"]],
  ])("rejects %j", async (body, issues) => {
    const before = await read();
    const answer = await patch(body);
    expect(answer.status).toBe(422);
    expect(issuesOf(answer)).toEqual(issues);
    expect(await read()).toEqual(before);
  });

  test("each row has its own rules and hooks, and one failure undoes everything", async () => {
    const before = await read();
    const refuse = async (body: unknown, status: number, issue: string, headers = AS_READER) => {
      const answer = await patch(body, headers);
      expect(issuesOf(answer)).toEqual([issue]);
      expect(answer.status).toBe(status);
      expect(await read()).toEqual(before);
    };
    await refuse({ title: "New", reviews: { delete: [1] } }, 403, "reviews.delete FORBIDDEN");
    await refuse({ title: "New", reviews: { update: [{ id: 1, stars: 5 }] } }, 403, "reviews.update.0 FORBIDDEN");
    await refuse({ title: "New", reviews: { update: [{ id: 1, stars: 2 }] } }, 409, "reviews.update.0 CONFLICT");
    const both = { delete: [2], update: [{ id: 1, slot: 7 }], create: [{ stars: 1, slot: 7 }] };
    await refuse({ title: "New", reviews: both }, 409, "reviews.create.0.slot not_unique", AS_EDITOR);
    const twice = await patch({ reviews: { update: [{ id: 1 }], delete: [1] } }, AS_EDITOR);
    expect(issuesOf(twice)).toEqual(["reviews.delete.0 duplicate"]);
  });

  test("a related row can require its version", async () => {
    const { headers } = await send(api, "GET", "/reviews/1", { headers: AS_EDITOR });
    const tag = headers["ETag"];
    const change = (ifMatch: unknown) => ({ title: "New", reviews: { update: [{ id: 1, stars: 4, ifMatch }] } });
    const stale = await patch(change('"0"'), AS_EDITOR);
    expect(stale.status).toBe(412);
    expect(issuesOf(stale)).toEqual(["reviews.update.0 PRECONDITION_FAILED"]);
    expect(await read()).toMatchObject({ title: "Emma" });
    expect((await patch(change(tag), AS_EDITOR)).status).toBe(200);
    expect((await patch(change(tag), AS_EDITOR)).status).toBe(412);
  });

  test("the preconditions of the row itself come first", async () => {
    const headers = { ...AS_EDITOR, "if-match": '"0"' };
    expect((await patch({ reviews: { update: [{ id: 1, stars: 9 }] } }, headers)).status).toBe(412);
    expect((await patch({ reviews: { update: [{ id: 9, stars: 4 }] } }, headers)).status).toBe(412);
    expect((await patch({ tags: ["b"] }, AS_EDITOR, "/books/9")).status).toBe(404);
  });

  test("a retry with the same idempotency key writes nothing", async () => {
    const headers = { ...AS_EDITOR, "idempotency-key": "k" };
    const body = { tags: { add: ["b"] }, reviews: { create: [{ stars: 5 }], delete: [2] } };
    expect((await patch(body, headers)).status).toBe(200);
    const after = await read();
    expect((await patch(body, headers)).status).toBe(200);
    expect(await read()).toEqual(after);
  });

  test("a bulk update can't contain them", async () => {
    const answer = await patch({ tags: ["a"] }, AS_EDITOR, "/books?filter[title]=Emma");
    expect(answer.status).toBe(422);
    expect(issuesOf(answer)).toEqual(["tags not_writable"]);
    const put = await send(api, "PUT", "/books/1", { headers: AS_EDITOR, body: { title: "x", reviews: {} } });
    expect(issuesOf(put)).toEqual(["reviews not_writable"]);
  });
});

describe("by GraphQL", () => {
  test("sets, adds and removes links", async () => {
    const run = async (tags: string) =>
      ask(api, `mutation { updateBook(id: 1, input: { tags: ${tags} }) { tags { nodes { name } } } }`, {
        headers: AS_EDITOR,
      });
    const names = (list: readonly string[]) => ({
      data: { updateBook: { tags: { nodes: list.map((name) => ({ name })) } } },
    });
    expect(await run('{ set: ["b", "c"] }')).toEqual(names(["b", "c"]));
    expect(await run('{ add: ["a"], remove: ["c"] }')).toEqual(names(["a", "b"]));
    const wrong = await run('{ set: ["b"], add: ["a"] }');
    expect(wrong).toMatchObject({ errors: [{ extensions: { errors: [{ path: ["tags"], code: "contradiction" }] } }] });
  });

  test("writes related rows", async () => {
    const query = `mutation ($input: UpdateBookInput!) {
      updateBook(id: 1, input: $input) { title reviews(first: 9) { nodes { id stars replies { nodes { text } } } } }
    }`;
    const input = {
      title: "New",
      reviews: {
        create: [{ stars: 5 }],
        update: [{ id: "1", stars: 4, replies: { update: [{ id: "1", text: "well" }], create: [{ text: "x" }] } }],
        delete: ["2"],
      },
    };
    const answer = await ask(api, query, { headers: AS_EDITOR, body: { input } });
    expect(answer).toMatchObject({ data: { updateBook: { title: "New" } } });
    expect(await read()).toMatchObject({
      reviews: [
        { id: 1, stars: 4, replies: [{ text: "well" }, { text: "x" }] },
        { id: 4, stars: 1 },
        { id: 5, stars: 5 },
      ],
    });
    const wrong = { reviews: { update: [{ id: "3", stars: 1 }] } };
    expect(await ask(api, query, { headers: AS_EDITOR, body: { input: wrong } })).toMatchObject({
      errors: [{ extensions: { errors: [{ path: ["reviews", "update", 0, "id"], code: "unknown_reference" }] } }],
    });
  });
});

test("local calls take the same inputs", async () => {
  const local = api.as({ id: "ed", roles: ["editor"] });
  await local.book.update(1, { tags: { add: ["b"] }, reviews: { create: [{ stars: 5 }], delete: [2] } });
  expect(await tagsOf()).toEqual(["a", "b", "secret"]);
  await local.book.replace(1, { title: "New", tags: ["c"] });
  expect(await tagsOf()).toEqual(["c"]);
  const { id } = await local.book.create({ title: "X", tags: ["a"] });
  expect(await local.book.get(id, { select: { tags: { select: { name: true } } } })).toEqual({ tags: [{ name: "a" }] });
});
