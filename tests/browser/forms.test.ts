import { allow, belongsTo, defineApi, defineResource, memoryStore } from "@bifocal/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { describeInChromium, openPage, useSite } from "./in-chromium.ts";
import { serveApi } from "./serve-api.ts";

/** Fields with names of properties of forms. */
const sample = defineResource("sample", {
  fields: {
    id: z.int32(),
    elements: z.string().min(1),
    dataset: z.string().nullable(),
    points: z.number().nullable(),
    due: z.iso.date().nullable(),
    state: z.enum(["open", "closed"]),
    text: z.string(),
    size: z.object({ width: z.int32().optional(), height: z.int32().optional() }).nullable(),
    meta: z.json(),
    nextId: z.int32().nullable(),
  },
  relations: { next: belongsTo("sample", "nextId") },
  requirePrecondition: true,
  access: { read: allow, create: allow, update: allow, delete: allow },
  actions: {
    sum: { on: "collection", access: allow, output: z.object({ total: z.int32() }), run: () => ({ total: 42 }) },
  },
  sortable: ["elements"],
});
const receipt = defineResource("receipt", {
  fields: { id: z.int32() },
  access: { read: allow, create: allow, update: allow, delete: allow },
  operations: ["get", "delete"],
});

describeInChromium("forms", () => {
  const rows = [
    {
      id: 1,
      elements: "H2O",
      dataset: null,
      points: 5,
      due: "2026-01-31",
      state: "open",
      text: "\n\tfirst",
      size: { width: 1, height: 2 },
      meta: { a: 1, b: null },
      nextId: 1,
    },
  ];
  const api = defineApi({
    resources: [sample, receipt],
    store: memoryStore({ data: { sample: rows, receipt: [{ id: 1 }] } }),
  });
  const site = useSite(() => serveApi(api));

  test("rejects a cleared or incomplete field without losing data", async () => {
    const { page, complaints } = await openPage();
    await page.goto(`${site.url}/samples/1`);
    await page.getByText("Edit this sample").click();
    const form = page.locator("#update");
    await form.getByLabel("Elements").fill("");
    await form.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => page.locator("#update-elements-error").textContent()).not.toBe("");
    await form.getByLabel("Elements").fill("H2");
    await form.getByLabel("Points").press("End");
    await form.getByLabel("Points").pressSequentially("-3");
    await form.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => page.locator("#update-points-error").textContent()).not.toBe("");
    expect(await api.local.sample.get(1)).toMatchObject({ elements: "H2O", points: 5, due: "2026-01-31" });
    expect(await form.getByLabel("State").locator("option").allTextContents()).toEqual(["open", "closed"]);
    await form.getByLabel("Points").fill("");
    await form.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => api.local.sample.get(1)).toMatchObject({ elements: "H2", points: null, text: "\n\tfirst" });
    // The browser reports the two rejections too.
    expect(complaints.filter((complaint) => !complaint.includes("422"))).toEqual([]);
  });

  test("deletes members that are removed from an object", async () => {
    const { page } = await openPage();
    await page.goto(`${site.url}/samples/1`);
    await page.getByText("Edit this sample").click();
    const form = page.locator("#update");
    await form.getByLabel("Size").fill('{ "width": 7 }');
    await form.getByLabel("Meta").fill('{ "b": null }');
    await form.getByLabel("Dataset").fill("x");
    await form.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => api.local.sample.get(1)).toMatchObject({ dataset: "x", size: { width: 7 } });
    const { size, meta } = (await api.local.sample.get(1)) as { size: unknown; meta: unknown };
    expect([size, meta]).toEqual([{ width: 7 }, { b: null }]);
  });

  test("opens the start page after a deletion if there is no list", async () => {
    const { page, complaints } = await openPage();
    await page.goto(`${site.url}/receipts/1`);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect.poll(() => page.url()).toBe(`${site.url}/`);
    expect(complaints).toEqual([]);
  });

  test("has links to the forms of a row beside its title", async () => {
    const { page } = await openPage();
    await page.goto(`${site.url}/samples/1`);
    await page.getByRole("link", { name: "Edit" }).click();
    await expect.poll(() => page.locator("#update").getByLabel("Elements").isVisible()).toBe(true);
    expect(await page.getByLabel("Size as JSON").count()).toBe(1);
  });

  test("edits a row on its own page, which knows its version", async () => {
    const { page } = await openPage();
    await page.goto(`${site.url}/samples/1/next`);
    expect(await page.locator("form.write[data-method=PATCH], form.write[data-method=DELETE]").count()).toBe(0);
    await page.getByText("Open it on its own to edit it").click();
    expect(await page.locator("#update").getAttribute("data-version")).not.toBe(null);
  });

  test("shows the result of an action", async () => {
    const { page } = await openPage();
    await page.goto(`${site.url}/samples`);
    expect(await page.locator(".actions").getByRole("link", { name: "Sum" }).getAttribute("href")).toBe("#action-sum");
    await page.getByRole("button", { name: "Sum" }).click();
    await expect.poll(() => page.locator(".answer").textContent()).toContain('"total": 42');
  });

  test("follows a sorted page live, and shows a lost connection", async () => {
    const { page } = await openPage();
    await page.goto(`${site.url}/samples?sort=elements&page[size]=5&count=true`);
    expect(await page.locator("[data-curl]").textContent()).toContain("curl -g ");
    await page.getByRole("button", { name: "Start" }).click();
    await expect.poll(() => page.locator(".state").textContent()).toBe("Listening…");
    expect(await page.getByText(/^Other formats: .*csv/).count()).toBeGreaterThan(0);
    await page.goto(`${site.url}/samples/1`);
    expect(await page.locator(".formats").textContent()).not.toContain("csv");
  });
});
