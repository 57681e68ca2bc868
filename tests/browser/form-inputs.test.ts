import { allow, decimal, defineApi, defineResource, manyToMany, memoryStore, sequence } from "@bifocal/core";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { z } from "zod";
import { runAxe } from "./axe.ts";
import { describeInChromium, openPage, useSite } from "./in-chromium.ts";
import { serveApi } from "./serve-api.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const book = defineResource("book", {
  fields: {
    id: z.int(),
    title: z.string(),
    price: decimal({ precision: 6, scale: 2 }),
    languages: z.array(z.string()),
    scores: z.array(z.number()).nullable(),
    notes: z.array(z.string()).default([]),
  },
  generated: { id: sequence() },
  relations: { labels: manyToMany("label", { links: 3 }), shops: manyToMany("shop", { links: 3 }) },
  access,
});
const label = defineResource("label", {
  fields: { id: z.int(), name: z.string() },
  relations: { books: manyToMany("book") },
  access,
  filterable: ["name"],
  bulk: { create: 60 },
});
/** Its rows have no list to choose from. */
const shop = defineResource("shop", {
  fields: { code: z.string(), city: z.string() },
  key: "code",
  operations: ["get"],
  relations: { books: manyToMany("book") },
  access,
});

const createApi = () =>
  defineApi({
    resources: [book, label, shop],
    store: memoryStore({
      data: {
        label: ["New", "Old", "Rare"].map((name, at) => ({ id: at + 1, name })),
        shop: [
          { code: "b", city: "Bern" },
          { code: "z", city: "Zug" },
        ],
      },
    }),
  });

test.each<[rule: string, access: object]>([
  ["the relation", { ...access, relations: { labels: { read: () => false, link: allow } } }],
  ["labels", access],
])("shows an input for the links of a row if its caller can't read %s", async (rule, own) => {
  const list = defineResource("list", {
    fields: { id: z.int(), name: z.string() },
    generated: { id: sequence() },
    relations: { labels: manyToMany("label", { links: 3 }) },
    access: own as typeof access,
  });
  const hidden = defineResource("label", {
    fields: { id: z.int(), name: z.string() },
    relations: { lists: manyToMany("list") },
    access: { ...access, read: rule === "labels" ? () => false : allow },
  });
  const lists = defineApi({ resources: [list, hidden], store: memoryStore() });
  const { url, close } = await serveApi(lists);
  const { id } = await lists.local.list.create({ name: "Best" });
  const response = await fetch(`${url}/lists/${id}`, { headers: { accept: "text/html" } });
  const page = await response.text();
  expect(response.status).toBe(200);
  expect(page).toContain('id="update-add-labels"');
  expect(page).toContain('id="update-remove-labels"');
  await close();
});

describeInChromium("inputs for decimals, lists and links", () => {
  const api = createApi();
  const site = useSite(() => serveApi(api));

  async function openCreate(): Promise<{ page: Page; form: Locator; complaints: string[] }> {
    const opened = await openPage();
    await opened.page.goto(`${site.url}/books`);
    await opened.page.getByRole("link", { name: "New book" }).click();
    return { ...opened, form: opened.page.locator("#create") };
  }
  const save = (form: Locator, name: string): Promise<void> => form.getByRole("button", { name, exact: true }).click();
  const stored = (title: string) =>
    api.local.book
      .list({
        page: { size: 50 },
        select: {
          id: true,
          title: true,
          price: true,
          languages: true,
          scores: true,
          notes: true,
          labels: { select: { id: true } },
          shops: { select: { code: true } },
        },
      })
      .then(({ items }) => items.find((one) => one.title === title));

  test("creates a row with a decimal, lists, and links to chosen rows", async () => {
    const { page, form, complaints } = await openCreate();
    const price = form.getByLabel("Price");
    expect(await price.getAttribute("inputmode")).toBe("decimal");
    await form.getByLabel("Title").fill("Emma");
    await price.fill("12.5");
    await form.getByLabel("Languages").fill("en\nfr, CH\n");
    await form.getByLabel("Scores").fill("1.5\n2");
    const labels = form.getByRole("combobox", { name: "Labels" });
    await labels.pressSequentially("ra");
    await labels.press("ArrowDown");
    await expect.poll(() => page.getByRole("option").filter({ visible: true }).allTextContents()).toEqual(["Rare"]);
    await labels.press("ArrowDown");
    await labels.press("Enter");
    await labels.fill("new");
    await expect.poll(() => page.getByRole("option").filter({ visible: true }).allTextContents()).toEqual(["New"]);
    await labels.blur();
    await labels.fill("2");
    await labels.press("Enter");
    expect(await form.locator(".chosen li").allTextContents()).toEqual(["Rare ×", "New ×", "2 ×"]);
    await form.getByRole("button", { name: "Remove 2" }).click();
    await form.getByLabel("Shops").fill("z\nb");
    expect((await runAxe(page, "#create")).violations).toEqual([]);
    await save(form, "Create");
    await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe("Emma");
    expect(await stored("Emma")).toEqual({
      id: 1,
      title: "Emma",
      price: "12.50",
      languages: ["en", "fr, CH"],
      scores: [1.5, 2],
      notes: [],
      labels: [{ id: 1 }, { id: 3 }],
      shops: [{ code: "b" }, { code: "z" }],
    });
    expect(complaints).toEqual([]);
  });

  test("changes lists, and adds and removes links", async () => {
    const { id } = await api.local.book.create({
      title: "Sanditon",
      price: "1",
      languages: ["en"],
      scores: [1],
      notes: ["two\nlines"],
      labels: [1, 3],
      shops: ["b"],
    });
    const { page, complaints } = await openPage();
    await page.goto(`${site.url}/books/${id}`);
    await page.getByText("Edit this book").click();
    const form = page.locator("#update");
    expect(await form.getByLabel("Languages").inputValue()).toBe("en");
    expect(await form.getByLabel("Notes").inputValue()).toBe('["two\\nlines"]');
    await form.getByLabel("Languages").fill("");
    await form.getByLabel("Scores").fill("");
    const add = form.getByRole("combobox", { name: "Add labels" });
    await add.fill("old");
    await expect.poll(() => page.getByRole("option").filter({ visible: true }).allTextContents()).toEqual(["Old"]);
    await add.blur();
    const labels = form.getByRole("group", { name: "Labels" });
    expect(await labels.getByRole("checkbox").count()).toBe(2);
    await labels.getByRole("checkbox", { name: "New" }).uncheck();
    await labels.getByRole("checkbox", { name: "Rare" }).uncheck();
    expect(await form.getByRole("group", { name: "Shops" }).getByRole("checkbox", { name: "Bern" }).count()).toBe(1);
    expect(await form.getByLabel("Remove labels").count()).toBe(0);
    expect((await runAxe(page, "#update")).violations).toEqual([]);
    await save(form, "Save");
    await expect
      .poll(() => stored("Sanditon"))
      .toMatchObject({
        languages: [],
        scores: null,
        notes: ["two\nlines"],
        labels: [{ id: 2 }],
        shops: [{ code: "b" }],
      });
    expect(complaints).toEqual([]);
  });

  test("shows the links of a row without JavaScript, and an input for those that don't fit", async () => {
    const names = Array.from({ length: 60 }, (_, at) => ({ id: 100 + at, name: `Label ${at}` }));
    await api.local.label.createMany(names);
    const { id } = await api.local.book.create({ title: "Many", price: "1", languages: [], scores: [] });
    for (const one of names) await api.local.book.link(id, "labels", one.id);
    const page = await (await fetch(`${site.url}/books/${id}`, { headers: { accept: "text/html" } })).text();
    const boxes = page.match(/<input type="checkbox"[^>]*checked> <bdi>Label \d+<\/bdi>/g) ?? [];
    expect(boxes).toHaveLength(50);
    expect(page).toContain('id="update-remove-labels"');
    expect(page).not.toContain('id="update-remove-shops"');
  });

  test("shows the errors of decimals, items and links beside their inputs", async () => {
    const { page, form } = await openCreate();
    await form.getByLabel("Title").fill("Wrong");
    await form.getByLabel("Price").fill("1.234");
    await form.getByLabel("Scores").fill("one");
    await form.getByLabel("Shops").fill("nowhere");
    await save(form, "Create");
    const errorOf = (name: string): Promise<string | null> => page.locator(`#create-${name}-error`).textContent();
    await expect.poll(() => errorOf("price")).toContain("decimal");
    expect(await errorOf("scores")).toContain("number");
    await form.getByLabel("Price").fill("1.23");
    await form.getByLabel("Scores").fill("");
    await save(form, "Create");
    await expect.poll(() => errorOf("shops")).not.toBe("");
    expect(await stored("Wrong")).toBeUndefined();
  });
});
