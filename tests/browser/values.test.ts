import { allow, defineApi, defineResource, memoryStore } from "@bifocal/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { describeInChromium, openPage, useSite } from "./in-chromium.ts";
import { serveApi } from "./serve-api.ts";

const place = defineResource("place", {
  fields: {
    id: z.uuid(),
    open: z.boolean(),
    name: z.string(),
    kind: z.enum(["city", "village"]),
    people: z.int32(),
    names: z.array(z.string()),
    location: z.object({ lat: z.number(), lng: z.number() }),
    founded: z.iso.date(),
    changedAt: z.iso.datetime(),
    twinId: z.uuid().nullable(),
  },
  access: { read: allow, create: allow, update: allow, delete: allow },
});

const idOf = (at: number): string => `b0000000-0000-4000-8000-${String(at).padStart(12, "0")}`;
const rows = Array.from({ length: 12 }, (_, at) => ({
  id: idOf(at),
  open: at === 0,
  name: `Place ${at}`,
  kind: "city",
  people: 134_591,
  names: ["Bern", "Berne"],
  location: { lat: 46.948_123, lng: 7.447_4 },
  founded: "1191-04-05",
  changedAt: "2026-01-02T03:04:05.000Z",
  twinId: null,
}));

describeInChromium("values on the pages", () => {
  const api = defineApi({
    resources: [place],
    store: memoryStore({ data: { place: rows } }),
    limits: { query: { count: 11 } },
  });
  const site = useSite(() => serveApi(api));

  test("shows the label first and no ids or times, unless the request names them", async () => {
    const { page, complaints } = await openPage({ javaScriptEnabled: false });
    await page.goto(`${site.url}/places`);
    const heads = page.locator("thead th");
    expect(await heads.allTextContents()).toEqual(["Name", "Open", "Kind", "People", "Names", "Location", "Founded"]);
    await page.getByRole("link", { name: "Show all 10 columns" }).click();
    expect(await heads.count()).toBe(10);
    const ids = await page.locator("tbody td:first-child a").allTextContents();
    expect(new Set(ids).size).toBe(12);
    expect(ids[1]).toBe("b000…00000001");
    expect(await page.locator("tbody td:first-child a").nth(1).getAttribute("title")).toBe(idOf(1));
    expect(complaints).toEqual([]);
  });

  test("writes values for people, with their form in JSON as the title", async () => {
    const { page } = await openPage({ javaScriptEnabled: false });
    await page.goto(`${site.url}/places`);
    const row = page.locator("tbody tr").first();
    expect((await row.locator("td").allTextContents()).slice(0, 4)).toEqual(["Place 0", "✓yes", "city", "134,591"]);
    expect(await row.locator(".tags li").allTextContents()).toEqual(["Bern", "Berne"]);
    const place = row.getByTitle('{"lat":46.948123,"lng":7.4474}');
    expect(await place.textContent()).toBe("46.948123° N, 7.4474° E");
    await row.getByRole("link", { name: "Place 0" }).click();
    expect(await page.locator("time").allTextContents()).toEqual(["Apr 5, 1191", "Jan 2, 2026, 3:04 AM UTC"]);
    expect(await page.locator("time").nth(1).getAttribute("title")).toBe("2026-01-02T03:04:05.000Z");
    expect(await page.locator("dd a").first().textContent()).toBe(idOf(0));
  });

  test("writes times in the language and the zone of the browser", async () => {
    const { page, complaints } = await openPage({ locale: "de-DE", timezoneId: "Europe/Zurich" });
    await page.goto(`${site.url}/places/${idOf(0)}`);
    await expect.poll(() => page.locator("time").allTextContents()).toEqual(["05.04.1191", "02.01.2026, 04:04"]);
    expect(await page.locator("time").nth(1).getAttribute("title")).toBe("2026-01-02T03:04:05.000Z");
    expect(complaints).toEqual([]);
  });

  test("copies a whole id", async () => {
    const { page } = await openPage({ permissions: ["clipboard-read", "clipboard-write"] });
    await page.goto(`${site.url}/places?fields=id,name`);
    await page.getByRole("button", { name: `Copy ${idOf(1)}` }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(idOf(1));
  });

  test("shows a count that stopped at the limit as such", async () => {
    const { page } = await openPage();
    await page.goto(`${site.url}/places?count=true`);
    expect(await page.locator(".count").textContent()).toContain("12 places of more than 10.");
  });

  test("contains each row once, and loads the JSON on request", async () => {
    const { page, complaints } = await openPage();
    await page.goto(`${site.url}/places`);
    expect((await page.content()).match(/134,?591/g)).toHaveLength(12);
    await page.getByText("JSON", { exact: true }).click();
    await expect.poll(() => page.getByLabel("The response as JSON").textContent()).toContain('"people": 134591');
    expect(complaints).toEqual([]);
  });

  test("keeps the links of a row in sight in a wide table", async () => {
    const { page } = await openPage({ viewport: { width: 800, height: 600 } });
    await page.goto(`${site.url}/places?fields=id,open,kind,people,names,location,founded,changedAt,twinId`);
    const box = await page.getByRole("link", { name: "Open" }).last().boundingBox();
    expect(box === null ? 0 : box.x + box.width).toBeLessThan(800);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(800);
  });
});
