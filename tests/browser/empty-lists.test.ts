import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { allow, defineApi, defineResource, deny, hasMany, memoryStore } from "@bifocal/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { describeInChromium, openPage, useSite } from "./in-chromium.ts";
import { serveApi } from "./serve-api.ts";

const note = defineResource("note", {
  fields: { id: z.int32(), text: z.string().meta({ examples: ["It's a note"] }), color: z.string().default("white") },
  access: { read: allow, create: allow, update: allow, delete: allow },
  filterable: ["color"],
});
const country = defineResource("country", {
  fields: { id: z.int32(), name: z.string() },
  relations: { cities: hasMany("city", "countryId") },
  access: { read: allow, create: deny, update: deny, delete: deny },
});
const city = defineResource("city", {
  fields: { id: z.int32(), name: z.string(), countryId: z.int32() },
  access: { read: allow, create: deny, update: deny, delete: deny },
});

describeInChromium("empty lists", () => {
  const api = defineApi({
    resources: [note, country, city],
    store: memoryStore({ data: { country: [{ id: 1, name: "Iceland" }] } }),
  });
  const site = useSite(() => serveApi(api));

  test("show a command that creates the first row", async () => {
    const { page, complaints } = await openPage();
    await page.goto(`${site.url}/notes`);
    expect(await page.locator(".none").innerText()).toContain("No notes yet.");
    expect(await page.locator(".count").count()).toBe(0);
    const command = page.locator(".none code");
    await expect.poll(() => command.textContent()).toContain(`'${site.url}/notes'`);
    const { stdout } = await promisify(execFile)("sh", ["-c", `${(await command.textContent()) ?? ""} -s`]);
    expect(JSON.parse(stdout)).toMatchObject({ text: "It's a note", color: "white" });
    await page.reload();
    expect(await page.getByText("No notes yet.").count()).toBe(0);
    await page.goto(`${site.url}/notes?filter[color]=red`);
    await page.getByRole("link", { name: "Show all notes" }).click();
    expect(await page.locator("tbody tr").count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test("open the form for a new row", async () => {
    const { page } = await openPage();
    await page.goto(`${site.url}/notes`);
    await page.getByRole("link", { name: "New note" }).click();
    await expect.poll(() => page.locator("#create").getByLabel("Text").isVisible()).toBe(true);
  });

  test("offer nothing to create where no caller can", async () => {
    const { page } = await openPage();
    for (const path of ["/cities", "/countries/1/cities"]) {
      await page.goto(site.url + path);
      expect((await page.locator(".none").innerText()).trim()).toBe("No cities yet.");
      expect(await page.getByRole("link", { name: /^New / }).count()).toBe(0);
      expect(await page.getByText(/credential/i).count()).toBe(0);
    }
  });
});
