import { allow, apiKeys, belongsTo, defineApi, defineResource, hasMany, hasRole, signedIn } from "@bifocal/core";
import { fillStore } from "@bifocal/core/store";
import { sqlStore } from "@bifocal/sql";
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { z } from "zod";
import { apiConsole } from "@bifocal/console";
import { describeInChromium, openPage, useSite } from "./in-chromium.ts";
import { serveApi } from "./serve-api.ts";

const KEY = "k".repeat(24);

const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access: { read: allow, create: signedIn, update: signedIn, delete: signedIn },
  filterable: ["name"],
  sortable: ["name"],
});
const book = defineResource("book", {
  fields: {
    id: z.int32(),
    title: z.string(),
    price: z.number(),
    genre: z.enum(["novel", "essay"]),
    authorId: z.int32(),
  },
  relations: { author: belongsTo("author", "authorId") },
  access: { read: allow, create: hasRole("editor"), update: hasRole("editor"), delete: hasRole("editor") },
  filterable: ["price", "genre"],
  sortable: ["price"],
  page: { size: 10, max: 50 },
});
const data = {
  author: [{ id: 1, name: "Ann" }],
  book: [
    { id: 1, title: "Emma", price: 14, genre: "novel", authorId: 1 },
    { id: 2, title: "Walden", price: 9, genre: "essay", authorId: 1 },
    { id: 3, title: "Ulysses", price: 30, genre: "novel", authorId: 1 },
  ],
};

describeInChromium("the console", () => {
  const store = sqlStore({ url: "sqlite::memory:", autoCreate: true });
  const api = defineApi({
    info: { title: "Books" },
    resources: [author, book],
    store,
    auth: apiKeys({ [KEY]: { id: "ann", roles: ["editor"] } }),
    console: apiConsole(),
  });
  const site = useSite(async () => {
    await api.ready;
    await fillStore(store, api.model, data);
    return serveApi(api, "/api");
  });

  const editor = (page: Page, name: "REST" | "GraphQL" | "Variables") =>
    page.getByRole("textbox", { name, exact: true });
  const textOf = (page: Page, label: string): Promise<string> => page.getByLabel(label, { exact: true }).innerText();
  async function open(hash = "", options: BrowserContextOptions = {}) {
    const opened = await openPage(options);
    await opened.page.goto(`${site.url}/console${hash}`);
    await expect.poll(() => editor(opened.page, "GraphQL").inputValue()).not.toBe("");
    return opened;
  }

  const completions = (page: Page, label: string): Promise<string[]> =>
    page
      .getByLabel(label, { exact: true })
      .last()
      .evaluate((input: HTMLInputElement) => [...(input.list?.options ?? [])].map(({ value }) => value));

  test("shows the form to build a list on one line of a desktop, and conditions below it", async () => {
    const { page } = await open("", { viewport: { width: 1280, height: 800 } });
    const bottomOf = (control: Locator): Promise<number> =>
      control.evaluate((element) => element.getBoundingClientRect().bottom);
    const [first, build] = [page.getByLabel("Resource"), page.getByRole("button", { name: "Build" })];
    expect(await bottomOf(build)).toBeCloseTo(await bottomOf(first), 0);
    await page.getByRole("button", { name: "Add filter" }).click();
    expect(await bottomOf(page.getByLabel("Operator"))).toBeGreaterThan(await bottomOf(first));
    expect(await bottomOf(build)).toBeCloseTo(await bottomOf(page.getByRole("button", { name: "Add filter" })), 0);
  });

  test("builds a list from the names of the model, and runs it in both styles", async () => {
    const { page, complaints } = await open();
    await page.getByLabel("Resource").selectOption("/books");
    await page.getByRole("button", { name: "Add filter" }).click();
    await page.getByLabel("Field", { exact: true }).fill("genre");
    await page.getByLabel("Operator").selectOption("eq");
    expect(await completions(page, "Value")).toEqual(["novel", "essay"]);
    await page.getByLabel("Value", { exact: true }).fill("novel");
    await page.getByLabel("Sort by").fill("-price");
    await page.getByLabel("Fields").fill("title");
    await page.getByRole("button", { name: "Build" }).click();
    await expect.poll(() => editor(page, "GraphQL").inputValue()).toContain("books(");
    expect(await editor(page, "REST").inputValue()).toBe(
      "GET /books?filter[genre][eq]=novel&sort=-price&fields=title&page[size]=5",
    );
    await expect
      .poll(async () => JSON.parse((await editor(page, "Variables").inputValue()) || "{}") as unknown)
      .toMatchObject({ sort: ["PRICE_DESC"] });
    expect(await textOf(page, "The call in TypeScript")).toMatch(/^await client\.book\.list\(/);
    expect(await page.locator("#cost").textContent()).toMatch(/^Cost [\d,]+ of 5,000$/);
    await page.getByRole("button", { name: "Run" }).click();
    await expect.poll(() => textOf(page, "The response of REST")).toContain("Ulysses");
    await expect.poll(() => textOf(page, "The response of GraphQL")).toContain("Ulysses");
    expect(await textOf(page, "The response of GraphQL")).not.toContain("Walden");
    expect(await page.locator("#rest-time").textContent()).toMatch(/^200, \d+ ms$/);
    expect(complaints).toEqual([]);
  });

  test("completes filters, sorts and selections along relations", async () => {
    const { page, complaints } = await open();
    await page.getByLabel("Resource").selectOption("/authors");
    await page.getByRole("button", { name: "Add filter" }).click();
    const field = page.getByLabel("Field", { exact: true });
    expect(await completions(page, "Field")).toEqual(["name", "books."]);
    await field.fill("books.");
    expect(await completions(page, "Field")).toEqual(["books.some.", "books.every.", "books.none."]);
    await field.fill("books.some.");
    expect(await completions(page, "Field")).toEqual(["books.some.price", "books.some.genre", "books.some.author."]);
    await field.fill("books.some.price");
    await page.getByLabel("Operator").selectOption("between");
    await page.getByLabel("Value", { exact: true }).fill("10, 20");
    await page.getByLabel("Fields").fill("name, books.");
    expect(await completions(page, "Fields")).toContain("name, books.title");
    await page.getByLabel("Fields").fill("name, books.title");
    await page.getByLabel("Include").focus();
    expect(await completions(page, "Include")).toEqual(["books"]);
    await expect
      .poll(() => editor(page, "REST").inputValue())
      .toBe(
        "GET /authors?filter[books][some][price][between]=10&filter[books][some][price][between]=20&fields=name,books.title&page[size]=5",
      );
    await expect.poll(() => editor(page, "GraphQL").inputValue()).toMatch(/books[^}]*title/s);
    await page.getByRole("button", { name: "Run" }).click();
    await expect.poll(() => textOf(page, "The response of REST")).toContain("Emma");
    await page.getByLabel("Resource").selectOption("/books");
    await page.getByLabel("Sort by").focus();
    expect(await completions(page, "Sort by")).toEqual(["price", "-price", "author.name", "-author.name"]);
    expect(await page.getByLabel("Page size").getAttribute("max")).toBe("50");
    await page.getByLabel("Sort by").fill("-author.name,");
    expect(await completions(page, "Sort by")).toContain("-author.name,price");
    expect(complaints).toEqual([]);
  });

  test("fills the form from an edited request", async () => {
    const { page, complaints } = await open();
    await editor(page, "GraphQL").fill(
      '{ books(filter: { author: { name: { startsWith: "A" } }, price: { lt: 20 } }, sort: [PRICE_DESC], first: 3) { nodes { title } totalCount } }',
    );
    await expect.poll(() => page.getByLabel("Sort by").inputValue()).toBe("-price");
    expect(
      await page
        .getByLabel("Field", { exact: true })
        .evaluateAll((all: HTMLInputElement[]) => all.map((one) => one.value)),
    ).toEqual(["author.name", "price"]);
    expect(
      await page.getByLabel("Operator").evaluateAll((all: HTMLSelectElement[]) => all.map((one) => one.value)),
    ).toEqual(["startsWith", "lt"]);
    expect([
      await page.getByLabel("Fields").inputValue(),
      await page.getByLabel("Page size").inputValue(),
      await page.getByLabel("Count").isChecked(),
    ]).toEqual(["title", "3", true]);
    await page.getByRole("button", { name: "Remove filter" }).last().click();
    await expect.poll(() => editor(page, "REST").inputValue()).not.toContain("price][lt]");
    await expect.poll(() => editor(page, "GraphQL").inputValue()).toContain("books(");
    expect(await editor(page, "Variables").inputValue()).toContain('"startsWith": "A"');
    expect(complaints).toEqual([]);
  });

  test("shows the response, the cost, the SQL with its duration and the rules side by side", async () => {
    const { page, complaints } = await open();
    await editor(page, "REST").fill("GET /books?filter[author.name][startsWith]=A");
    await expect.poll(() => textOf(page, "The access rules that decide")).toContain("read book: yes");
    await page.getByRole("button", { name: "Run" }).click();
    await expect.poll(() => textOf(page, "The SQL statements")).toMatch(/from "books".*\d rows in \d+\.\d\d ms/s);
    const places = ["The response of REST", "The response of GraphQL", "The call in TypeScript"] as const;
    const lefts = await Promise.all(
      places.map(async (label) => (await page.getByLabel(label, { exact: true }).boundingBox())?.x ?? 0),
    );
    expect(lefts).toEqual(lefts.toSorted((a, b) => a - b));
    expect(new Set(lefts).size).toBe(3);
    await editor(page, "REST").fill("GET /authors");
    await expect.poll(() => page.getByLabel("The SQL statements").isVisible()).toBe(false);
    expect(complaints).toEqual([]);
  });

  test("shows the events of a subscription, in either style", async () => {
    const { page, complaints } = await open();
    await editor(page, "GraphQL").fill("subscription { bookUpdated { title price } }");
    await editor(page, "Variables").fill("");
    await expect.poll(() => textOf(page, "The access rules that decide")).toContain("read book: yes");
    await page.getByRole("button", { name: "Run" }).click();
    await expect.poll(() => page.getByRole("status").textContent()).toBe("Watching.");
    await api.as({ id: "ann", roles: ["editor"] }).book.update(2, { price: 11 });
    await expect.poll(() => textOf(page, "The changes")).toMatch(/"bookUpdated":.*"price":11/);
    await page.getByRole("button", { name: "Watch" }).click();
    await editor(page, "REST").fill("GET /books/2?fields=price\nAccept: text/event-stream");
    await expect.poll(() => page.getByRole("status").textContent()).toBe("");
    await page.getByRole("button", { name: "Run" }).click();
    await expect.poll(() => page.getByRole("status").textContent()).toBe("Watching.");
    await api.as({ id: "ann", roles: ["editor"] }).book.update(2, { price: 9 });
    await expect.poll(() => textOf(page, "The changes")).toMatch(/event: updated.*"price":9/s);
    expect(complaints).toEqual([]);
  });

  test("follows an edit of either request", async () => {
    const { page, complaints } = await open();
    await editor(page, "REST").fill("GET /books/1?fields=title");
    await expect.poll(() => editor(page, "GraphQL").inputValue()).toMatch(/book\(.*\{\s*title\s*\}/s);
    await editor(page, "GraphQL").fill("query($id: ID!) { author(id: $id) { name } }");
    await editor(page, "Variables").fill('{ "id": 1 }');
    await expect.poll(() => editor(page, "REST").inputValue()).toBe("GET /authors/1?fields=name");
    await editor(page, "REST").fill("GET /books?fields=titel");
    await expect.poll(() => page.getByRole("status").textContent()).toContain("titel");
    await editor(page, "REST").fill("GET /books?fields=title");
    await expect.poll(() => page.getByRole("status").textContent()).toBe("");
    expect(complaints.filter((text) => !text.includes("400"))).toEqual([]);
  });

  test("is shared by its address", async () => {
    const { page } = await open();
    await editor(page, "GraphQL").fill("{ books(filter: { price: { lt: 10 } }) { nodes { title } } }");
    await expect.poll(() => editor(page, "REST").inputValue()).toContain("filter[price]");
    const request = await editor(page, "REST").inputValue();
    const { page: other } = await open(new URL(page.url()).hash);
    await expect.poll(() => editor(other, "REST").inputValue()).toBe(request);
    expect(await editor(other, "GraphQL").inputValue()).toContain("price: { lt: 10 }");
  });

  test("shows the rules that decide, sends a write once, and shows its change", async () => {
    const { page, complaints } = await open();
    await editor(page, "REST").fill("GET /books");
    await expect.poll(() => textOf(page, "The call in TypeScript")).toContain("client.book.list");
    await page.getByRole("button", { name: "Watch" }).click();
    await expect.poll(() => page.getByRole("status").textContent()).toBe("Watching.");
    const { page: writer } = await open();
    const write = 'POST /books {"id":7,"title":"Persuasion","price":8,"genre":"novel","authorId":1}';
    await editor(writer, "REST").fill(write);
    await expect.poll(() => textOf(writer, "The access rules that decide")).toContain('hasRole("editor")');
    await writer.getByRole("button", { name: "Run" }).click();
    await expect.poll(() => textOf(writer, "The response of REST")).toContain("UNAUTHENTICATED");
    // A 401 opens the form to sign in.
    await writer.getByLabel("Credential", { exact: true }).fill(KEY);
    await writer.getByRole("button", { name: "Sign in" }).click();
    await expect.poll(() => writer.locator("#session").innerText()).toBe("Signed in as ann");
    await writer.getByRole("button", { name: "Run" }).click();
    await expect.poll(() => textOf(writer, "The response of REST")).toContain("Persuasion");
    expect(await textOf(writer, "The response of GraphQL")).toBe("");
    expect(writer.url()).not.toContain(KEY);
    await expect.poll(() => textOf(page, "The changes")).toContain("Persuasion");
    await page.getByRole("button", { name: "Watch" }).click();
    expect(await page.getByRole("button", { name: "Watch" }).getAttribute("aria-pressed")).toBe("false");
    expect(complaints).toEqual([]);
  });

  test("signs in with any header of the API, shows the caller, and prints a curl command without the credential", async () => {
    const { page, complaints } = await open();
    const session = page.locator("#session summary");
    const curl = (): Promise<string> => textOf(page, "The request in curl");
    expect(await session.textContent()).toBe("Sign in");
    await editor(page, "REST").fill("GET /books?fields=title");
    const address = `'${site.url}/books?fields=title'`;
    await expect.poll(curl).toBe(["curl -g", "-H 'Accept: application/json'", address].join(" \\\n  "));
    await session.click();
    const options = await page.locator("#sign-in option").allTextContents();
    expect(options).toEqual(["Authorization: Bearer", "X-API-Key"]);
    const signIn = async (header: string, credential: string): Promise<void> => {
      await page.locator("#sign-in select").selectOption(header);
      await page.getByLabel("Credential", { exact: true }).fill(credential);
      await page.getByRole("button", { name: "Sign in" }).click();
    };
    await signIn("X-API-Key", "wrong");
    await expect.poll(() => page.getByRole("alert").textContent()).not.toBe("");
    await signIn("X-API-Key", KEY);
    await expect.poll(() => session.textContent()).toBe("Signed in as ann");
    await expect.poll(curl).toContain(`-H "X-API-Key: $API_KEY" \\\n  ${address}`);
    expect(await textOf(page, "The access rules that decide")).toMatch(/^ann /);
    await session.click();
    await signIn("Authorization: Bearer", KEY);
    await expect.poll(curl).toContain('-H "Authorization: Bearer $TOKEN"');
    expect(await page.content()).not.toContain(KEY);
    await page.getByRole("link", { name: "Books", exact: true }).click();
    await page.getByRole("link", { name: "Console" }).click();
    await expect.poll(() => session.textContent()).toBe("Signed in as ann");
    await session.click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect.poll(() => session.textContent()).toBe("Sign in");
    await expect.poll(curl).not.toContain("$");
    expect(complaints.filter((text) => !text.includes("401"))).toEqual([]);
  });

  test("prints the request and the responses completely, without controls", async () => {
    const { page } = await open("#source=%7B%22request%22%3A%22GET%20%2Fbooks%22%7D");
    await page.getByRole("button", { name: "Run" }).click();
    await expect.poll(() => textOf(page, "The response of GraphQL")).toContain("Ulysses");
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("button, form, .session, .bar").filter({ visible: true }).count()).toBe(0);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Books Console");
    const texts = page.locator("textarea, pre").filter({ visible: true });
    const cut = await texts.evaluateAll((all) => all.filter((one) => one.scrollHeight > one.clientHeight + 1).length);
    expect([await texts.count(), cut]).toEqual([9, 0]);
  });

  test("is usable with the keyboard on a small screen, and all controls have names", async () => {
    const { page, complaints } = await open("", { viewport: { width: 360, height: 640 }, colorScheme: "dark" });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    const unnamed = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLInputElement>("input, select, textarea")]
        .filter((control) => control.labels?.length === 0 && control.getAttribute("aria-labelledby") === null)
        .map(({ outerHTML }) => outerHTML),
    );
    expect(unnamed).toEqual([]);
    await editor(page, "REST").focus();
    await page.keyboard.press("Control+Enter");
    await expect.poll(() => textOf(page, "The response of REST")).not.toBe("");
    expect(complaints).toEqual([]);
  });
});
