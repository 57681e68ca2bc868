import { startBookstore } from "@bifocal/example-bookstore/start";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MAX_START_MS } from "../runtimes/host.ts";
import { onEachOwnStore, type OwnStore } from "./stores.ts";

const KEYS = {
  reader: "reader-key-for-tests",
  "reader:ben": "ben-key-for-tests",
  "author:ursula": "author-key-for-tests",
  editor: "editor-key-for-tests",
  admin: "admin-key-for-tests",
};
const DRAFT = "/books/b0000000-0000-4000-8000-000000000012";
const OWN = "/books/b0000000-0000-4000-8000-000000000004";
const OTHER = "/books/b0000000-0000-4000-8000-000000000001";
const OWN_REVIEW = "/reviews/c0000000-0000-4000-8000-000000000001";

type Ask = (
  credential: string,
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ status: number; body: never }>;

const asker =
  (url: string): Ask =>
  async (credential, method, path, body) => {
    const headers: Record<string, string> = credential === "" ? {} : { authorization: `Bearer ${credential}` };
    if (body !== undefined) headers["content-type"] = "application/json";
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === "" ? undefined : JSON.parse(text)) as never };
  };

onEachOwnStore("on", (start) => {
  let store: OwnStore;
  let ask: Ask;
  beforeAll(async () => {
    store = await start({ keys: KEYS });
    ask = asker(store.url);
  }, MAX_START_MS);
  afterAll(() => store?.close());

  test.each<[rule: string, who: keyof typeof KEYS | "", method: string, path: string, status: number, body?: unknown]>([
    ["the author of a draft can read it", "author:ursula", "GET", DRAFT, 200],
    ["and staff's", "editor", "GET", DRAFT, 200],
    ["and not those of others", "reader", "GET", DRAFT, 404],
    ["and not those of others", "", "GET", DRAFT, 404],
    ["authors can change their own books", "author:ursula", "PATCH", DRAFT, 200, { title: "Letters" }],
    ["but not the price", "author:ursula", "PATCH", DRAFT, 403, { price: 1 }],
    ["and not the publication date", "author:ursula", "PATCH", DRAFT, 403, { publishedAt: "2026-01-01" }],
    ["and not the author", "author:ursula", "PATCH", OWN, 403, { authorId: "a0000000-0000-4000-8000-000000000001" }],
    ["nor another's", "author:ursula", "PATCH", OTHER, 403, { title: "Mine" }],
    ["authors cannot publish", "author:ursula", "POST", `${DRAFT}/publish`, 403, { at: "2026-01-01" }],
    ["authors cannot tag", "author:ursula", "PUT", `${OWN}/tags/sale`, 403],
    ["authors cannot create books", "author:ursula", "POST", "/books", 403, {}],
    ["editors can set prices", "editor", "PATCH", OTHER, 200, { price: 12.5 }],
    ["readers can change their own reviews", "reader", "PATCH", OWN_REVIEW, 200, { stars: 4 }],
    ["not another's", "reader:ben", "PATCH", OWN_REVIEW, 403, { stars: 1 }],
    ["but not the reviewer", "reader", "PATCH", OWN_REVIEW, 403, { reviewer: "ben" }],
    ["only authenticated callers can read users", "", "GET", "/users", 401],
    ["users cannot make themselves admins", "reader", "PATCH", "/users/reader", 403, { role: "admin" }],
    ["users cannot change each other", "reader", "PATCH", "/users/ben", 403, { name: "B" }],
    ["users can change their own names", "reader", "PATCH", "/users/reader", 200, { name: "Robin" }],
    ["filters by emails of others are rejected", "reader", "GET", "/users?filter[email]=x", 400],
    ["internal notes of the shop are not exposed", "admin", "GET", "/users?fields=notes", 400],
    ["users get tokens only for themselves, and so do admins", "admin", "POST", "/users/reader/token", 403],
    ["no response contains a key's hash", "admin", "GET", "/api-keys?fields=secretHash", 400],
  ])("%s: as '%s', %s %s is %i", async (_rule, who, method, path, status, body) => {
    expect(await ask(who === "" ? "" : KEYS[who], method, path, body)).toMatchObject({ status });
  });

  test("shows an email only to its user and admins", async () => {
    const emails = async (key: string): Promise<number> =>
      ((await ask(key, "GET", "/users")).body as { email?: string }[]).filter(({ email }) => email !== undefined)
        .length;
    expect([await emails(KEYS.reader), await emails(KEYS.admin)]).toEqual([1, 6]);
  });

  test("creates a key that signs in and can get a token, with the rights of its user", async () => {
    const key = await store.issueKey("ursula", "laptop");
    expect(key).toMatch(/^bk_/);
    const { token } = (await ask(key, "POST", "/users/ursula/token")).body as { token: string };
    for (const credential of [key, token]) {
      expect((await ask(credential, "GET", DRAFT)).status).toBe(200);
      expect((await ask(credential, "PATCH", DRAFT, { price: 1 })).status).toBe(403);
    }
    const own = (await ask(key, "GET", "/api-keys")).body as { name: string }[];
    expect(own.map(({ name }) => name)).toEqual(["laptop"]);
    expect((await ask(KEYS.reader, "GET", "/api-keys")).body).toEqual([]);
    expect((await ask(`${key.slice(0, -1)}${key.endsWith("A") ? "B" : "A"}`, "GET", "/books")).status).toBe(401);
    const [head = "", claims = "", signature = ""] = token.split(".");
    const forged = Buffer.from(
      JSON.stringify({ ...(JSON.parse(Buffer.from(claims, "base64url").toString()) as object), roles: ["admin"] }),
    );
    expect((await ask([head, forged.toString("base64url"), signature].join("."), "GET", "/books")).status).toBe(401);

    // Deactivating a user invalidates every credential of that user immediately.
    expect((await ask(KEYS.admin, "PATCH", "/users/ursula", { active: false })).status).toBe(200);
    for (const credential of [key, token]) expect((await ask(credential, "GET", "/books")).status).toBe(401);
    await ask(KEYS.admin, "PATCH", "/users/ursula", { active: true });
    expect((await ask(token, "GET", "/books")).status).toBe(200);
    // A token with a role that its user has lost is invalid. A key gets the new role.
    await ask(KEYS.admin, "PATCH", "/users/ursula", { role: "reader" });
    expect((await ask(token, "GET", "/books")).status).toBe(401);
    expect((await ask(key, "GET", DRAFT)).status).toBe(404);
    await ask(KEYS.admin, "PATCH", "/users/ursula", { role: "author" });
  });
});

test("rejects a token of another start of the server", async () => {
  const stores = await Promise.all([1, 2].map(() => startBookstore({ port: 0, keys: KEYS })));
  const [one, other] = stores.map(({ url }) => asker(url)) as [Ask, Ask];
  const { token } = (await one(KEYS.reader, "POST", "/users/reader/token")).body as { token: string };
  expect((await one(token, "GET", "/users")).status).toBe(200);
  expect((await other(token, "GET", "/users")).status).toBe(401);
  await Promise.all(stores.map((store) => store.close()));
});
