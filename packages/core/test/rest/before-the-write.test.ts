import { expect, test } from "vitest";
import { ask, send } from "../request.ts";
import { AS_ANN, createLibrary } from "./library.ts";

type Library = ReturnType<typeof createLibrary>;

async function stateOf(api: Library): Promise<unknown> {
  const [authors, books] = [await send(api, "GET", "/authors"), await send(api, "GET", "/books")];
  return [authors.body, books.body];
}

// Only authenticated callers can read an author's `email`.
test.each<[string, string, string, unknown, Record<string, string>, number]>([
  ["a create that selects a hidden field", "POST", "/authors?fields=id,email", { id: 2, name: "B" }, {}, 403],
  ["an update that selects it", "PATCH", "/authors/1?fields=email", { name: "B" }, {}, 403],
  ["a replacement that selects it", "PUT", "/authors/1?fields=email", { id: 1, name: "B", email: null }, {}, 403],
  ["a create along a relation", "PATCH", "/books/1?fields=author.email", { price: 1 }, {}, 403],
  ["an action", "POST", "/books/1/double?fields=author.email", undefined, {}, 403],
  ["a bulk create", "POST", "/books?fields=author.email", [{ id: 9, title: "x", price: 1 }], {}, 403],
  [
    "a bulk update",
    "PATCH",
    "/books?filter[id]=1&fields=author.email",
    { price: 1 },
    { prefer: "return=representation" },
    403,
  ],
  ["an invalid cursor", "PATCH", "/authors/1?include=books&rel[books][page][after]=bogus", { name: "B" }, AS_ANN, 400],
])("writes nothing if the response would fail: %s", async (_what, method, url, body, headers, status) => {
  const api = createLibrary();
  const before = await stateOf(api);
  const answer = await send(api, method, url, { headers, ...(body === undefined ? {} : { body }) });
  expect(answer.status).toBe(status);
  expect(await stateOf(api)).toEqual(before);
});

test("the same in GraphQL, where an unreadable field is an error of that field", async () => {
  const api = createLibrary();
  const before = await stateOf(api);
  const refused = await ask(
    api,
    'mutation { updateAuthor(id: "1", input: { name: "B" }) { id books(after: "bogus") { nodes { id } } } }',
  );
  expect(refused).toMatchObject({ errors: [{ extensions: { code: "BAD_REQUEST" } }] });
  expect(await stateOf(api)).toEqual(before);
  const hidden = await ask(api, 'mutation { updateAuthor(id: "1", input: { name: "B" }) { name email } }');
  expect(hidden).toMatchObject({ data: { updateAuthor: { name: "B", email: null } } });
});

test("returns the response if the caller can read all of it", async () => {
  const api = createLibrary();
  const answer = await send(api, "PATCH", "/books/1?fields=title,author.email", {
    headers: AS_ANN,
    body: { title: "X" },
  });
  expect(answer).toMatchObject({ status: 200, body: { title: "X", author: { email: "jane@example.com" } } });
});
