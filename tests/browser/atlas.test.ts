import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startAtlas } from "@bifocal/example-atlas/start";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { runAxe } from "./axe.ts";
import { describeInChromium, openPage, useSite } from "./in-chromium.ts";

const MAX_BYTES = 120 * 1024;
const CITIES = 171_075;
const WAIT = { timeout: 20_000 };

describeInChromium("the atlas", () => {
  const folder = mkdtempSync(join(tmpdir(), "atlas-browser-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const atlas = useSite(() => startAtlas({ port: 0, database: `sqlite:${join(folder, "atlas.db")}` }));

  async function open(hash = "", options: BrowserContextOptions = {}) {
    const opened = await openPage(options);
    await opened.page.goto(`${atlas.url}/${hash}`);
    await opened.page.locator("#map[data-points]").waitFor();
    await expect.poll(() => responseOf(opened.page, "GraphQL"), WAIT).not.toBe("");
    return opened;
  }
  // A busy machine rejects requests (503), which the page sends again. Chromium reports each of them.
  const errorsIn = (complaints: readonly string[]): readonly string[] =>
    complaints.filter((text) => !text.includes("503"));
  const editor = (page: Page, name: "REST" | "GraphQL") => page.getByRole("textbox", { name, exact: true });
  const responseOf = (page: Page, name: "REST" | "GraphQL"): Promise<string> =>
    page.getByLabel(`Response of ${name}`).innerText();
  const summary = (page: Page): Promise<string | null> => page.locator("#equal").textContent();
  const example = (page: Page, name: string) => page.getByRole("link", { name }).click();

  test("draws all points, and reads the same cities in both styles", async () => {
    const { page, complaints } = await open();
    expect(await page.locator("#map").getAttribute("data-points")).toBe(String(CITIES));
    const painted = await page.evaluate(() => {
      const canvas = document.querySelector("canvas") as HTMLCanvasElement;
      const { data } = (canvas.getContext("2d") as CanvasRenderingContext2D).getImageData(
        0,
        0,
        canvas.width,
        canvas.height,
      );
      return data.filter((value, at) => at % 4 === 3 && value > 0).length;
    });
    expect(painted).toBeGreaterThan(20_000);
    await expect.poll(() => summary(page), WAIT).toBe("All 12 rows are the same in both");
    expect(await page.locator("#found").textContent()).toBe("12 of more than 10,000 rows");
    await expect.poll(() => page.locator(".mark.row").count(), WAIT).toBe(12);
    await expect
      .poll(() => page.locator("#measures").textContent(), WAIT)
      .toMatch(/^Cost \d+ of 5,000 · \d SQL statements in [\d.]+ ms$/);
    expect(await page.getByLabel("The statements of the read").innerText()).toContain('from "cities"');
    await page.getByRole("tab", { name: "SQL" }).press("ArrowRight");
    expect(await page.getByLabel("The access rules that decide").innerText()).toContain("read city: yes");
    expect(errorsIn(complaints)).toEqual([]);
  });

  test("changes both requests while the map is dragged", async () => {
    const { page, complaints } = await open();
    const [before, beforeGraphql] = await Promise.all([
      editor(page, "REST").innerText(),
      editor(page, "GraphQL").innerText(),
    ]);
    const box = (await page.locator("#map").boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.getByRole("button", { name: "Zoom in" }).click();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    const seen = new Set<string>();
    for (const step of [40, 80, 120]) {
      await page.mouse.move(box.x + box.width / 2 - step, box.y + box.height / 2 + step / 2);
      const [south, north] = await latitudes(page);
      // The button is still down, and the document already has the same area.
      await expect
        .poll(() => editor(page, "GraphQL").innerText(), WAIT)
        .toContain(`[${Number(south)}, ${Number(north)}]`);
      seen.add(await editor(page, "REST").innerText());
    }
    await page.mouse.up();
    expect(seen.size).toBe(3);
    expect(seen).not.toContain(before);
    expect(await editor(page, "GraphQL").innerText()).not.toBe(beforeGraphql);
    await expect.poll(() => summary(page), WAIT).toMatch(/^All \d+ rows are the same in both$/);
    expect(errorsIn(complaints)).toEqual([]);
  });

  test("is moved and zoomed by keys", async () => {
    const { page } = await open();
    await page.locator("#map").focus();
    const world = await latitudes(page);
    await page.keyboard.press("+");
    const [south, north] = await latitudes(page);
    expect(north - south).toBeLessThan((world[1] - world[0]) / 1.2);
    await page.keyboard.press("ArrowUp");
    expect((await latitudes(page))[1]).toBeGreaterThan(north);
    await page.keyboard.press("0");
    expect(await latitudes(page)).toEqual(world);
  });

  test("follows an edit of either request, and moves the map to its area", async () => {
    const { page, complaints } = await open();
    await editor(page, "REST").fill("GET /countries/CH?fields=name,capitals");
    await expect.poll(() => editor(page, "GraphQL").innerText(), WAIT).toMatch(/country\(id: "CH"\).*capitals/s);
    await expect.poll(() => summary(page), WAIT).toBe("The row is the same in both");
    expect(await responseOf(page, "REST")).toContain("Bern");
    expect(await page.getByLabel("Requests follow the map").isChecked()).toBe(false);
    await editor(page, "GraphQL").fill(
      "{ cities(filter: { lat: { between: [46, 48] }, lng: { between: [6, 10] } }, first: 3) { nodes { name } } }",
    );
    await expect.poll(() => editor(page, "REST").innerText(), WAIT).toContain("filter[lng][between]=6");
    expect(await page.getByLabel("Requests follow the map").isChecked()).toBe(true);
    await page.locator("#map").press("ArrowLeft");
    const [south, north] = await latitudes(page);
    expect([Math.abs(south - 46) < 2, Math.abs(north - 48) < 2]).toEqual([true, true]);
    await expect.poll(() => editor(page, "GraphQL").innerText(), WAIT).toContain(`[${south}, ${north}]`);
    await editor(page, "REST").fill("GET /cities?filter[nme]=Bern");
    await expect.poll(() => page.locator("#message").textContent(), WAIT).toContain("nme");
    expect(await editor(page, "REST").getAttribute("aria-invalid")).toBe("true");
    expect(errorsIn(complaints).filter((text) => !text.includes("400"))).toEqual([]);
  });

  test("shows filters as chips, and emphasizes the points that match", async () => {
    const { page } = await open();
    await example(page, "Capitals south of the equator");
    await page.getByRole("button", { name: "Remove filter lat < 0" }).click();
    await expect.poll(() => editor(page, "REST").innerText(), WAIT).not.toContain("[lat][lt]");
    await expect.poll(() => editor(page, "GraphQL").innerText(), WAIT).not.toContain("lt:");
    await page.getByText("+ Filter").click();
    await page.getByLabel("Field", { exact: true }).selectOption("country.region");
    await page.getByLabel("Operator").selectOption("eq");
    await page.getByLabel("Value").fill("Oceania");
    await page.getByRole("button", { name: "Add" }).click();
    await expect.poll(() => editor(page, "GraphQL").innerText(), WAIT).toContain("region: { eq: Oceania }");
    await expect.poll(() => summary(page), WAIT).toMatch(/^All \d+ rows are the same/);
    expect(await page.evaluate(matchingPixels)).toBeGreaterThan(20);
  });

  test("shows in each window that a note was written, and sends the write once", async () => {
    const [writer, reader] = await Promise.all([open(), open()]);
    await expect.poll(() => reader.page.locator("#notes li").count(), WAIT).toBe(10);
    await writer.page.getByLabel("Visitor", { exact: true }).check();
    await writer.page.getByLabel("Note", { exact: true }).fill("Written in another window.");
    await writer.page.getByRole("button", { name: "Write", exact: true }).click();
    await expect.poll(() => responseOf(writer.page, "REST"), WAIT).toContain("Written in another window.");
    expect(await editor(writer.page, "REST").innerText()).toContain("POST /notes");
    expect(await editor(writer.page, "GraphQL").innerText()).toContain("createNote(");
    const note = reader.page.locator("#notes li").filter({ hasText: "Written in another window." });
    await expect.poll(() => note.count(), WAIT).toBe(1);
    await expect.poll(() => reader.page.locator(".mark.note.pulse").count(), WAIT).toBe(1);
    expect(await reader.page.locator("#notes li").count()).toBe(11);
    expect(await note.innerText()).not.toContain("by A visitor");
    expect(await writer.page.locator("#notes li").first().innerText()).toContain("by A visitor");
    expect(errorsIn(reader.complaints)).toEqual([]);
  });

  test("sends both requests as the selected role, whose rules decide", async () => {
    const { page, complaints } = await open();
    await example(page, "Notes and who may read them");
    await expect.poll(() => responseOf(page, "REST"), WAIT).toContain("Ships to Antarctica");
    const both = (): Promise<string[]> => Promise.all([responseOf(page, "REST"), responseOf(page, "GraphQL")]);
    const [anonymous, anonymousGraphql] = await both();
    expect(anonymous).not.toContain('"by"');
    expect(anonymousGraphql).toContain('"by": null');
    expect(anonymousGraphql).toContain("You are not allowed to read 'by'");
    expect(await summary(page)).toMatch(
      /^All \d+ rows are the same in both\. Fields that this caller can't read are missing/,
    );
    await page.getByLabel("Visitor", { exact: true }).check();
    await expect.poll(() => responseOf(page, "REST"), WAIT).toContain('"by": "Martina"');
    await expect.poll(() => responseOf(page, "GraphQL"), WAIT).toContain('"by": "Martina"');
    expect((await both()).join()).not.toContain("Cheap flights");
    await page.getByLabel("Editor", { exact: true }).check();
    await expect.poll(() => responseOf(page, "GraphQL"), WAIT).toContain("Cheap flights");
    const [editorRest, editorGraphql] = await both();
    expect(editorRest).toContain("Cheap flights");
    expect(editorGraphql).not.toContain("errors");
    await expect.poll(() => page.locator("#notes").innerText(), WAIT).toContain("Cheap flights");
    expect(errorsIn(complaints)).toEqual([]);
  });

  test("opens the request of a shared address", async () => {
    const { page } = await open();
    await example(page, "Neighbors of France and Germany");
    await expect.poll(() => responseOf(page, "REST"), WAIT).toContain("Luxembourg");
    const { page: other } = await open(new URL(page.url()).hash);
    await expect.poll(() => responseOf(other, "GraphQL"), WAIT).toContain("Luxembourg");
    expect(await editor(other, "REST").innerText()).toBe(await editor(page, "REST").innerText());
  });

  test.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 360],
    ["dark", 360],
  ] as const)("has no findings of axe and no overflow in %s at %i px", async (colorScheme, width) => {
    const { page } = await open("", { colorScheme, viewport: { width, height: 740 } });
    const { violations, passed } = await runAxe(page);
    expect(violations).toEqual([]);
    expect(passed).toBeGreaterThan(15);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });

  test("links to the pages of the API without script", async () => {
    const { page } = await openPage({ javaScriptEnabled: false });
    await page.goto(atlas.url);
    await expect.poll(() => page.locator("noscript p").isVisible()).toBe(true);
    await example(page, "Every Paris outside France");
    expect(await page.title()).toContain("Cities");
    expect(await page.locator("tbody tr").count()).toBeGreaterThan(5);
    // A credential wouldn't help, because cities are read-only.
    expect(await page.locator("main").innerText()).not.toMatch(/credential|sign in/i);
  });

  test("loads at most 120 KiB beside the points, all from its own server", async () => {
    const { page } = await openPage();
    const sizes = new Map<string, Promise<number>>();
    page.on("response", (response) => {
      const size = response.body().then(
        ({ length }) => length,
        () => 0,
      );
      sizes.set(response.url(), size);
    });
    await page.goto(atlas.url);
    await page.locator("#map[data-points]").waitFor();
    expect([...sizes.keys()].filter((url) => !url.startsWith(atlas.url) && !url.startsWith("data:"))).toEqual([]);
    const files = [...sizes].filter(([url]) => !url.includes("/api/") && !url.endsWith("/lens"));
    const bytes = await Promise.all(files.map(([, size]) => size));
    expect(files).toHaveLength(3);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_BYTES);
  });

  test("prints the map, both requests and the responses completely, without controls", async () => {
    const { page } = await open();
    await page.emulateMedia({ media: "print" });
    const controls = page.locator("button, form, nav, fieldset, [role=tablist]").filter({ visible: true });
    expect(await controls.count()).toBe(0);
    for (const shown of [page.locator("#points"), editor(page, "REST"), editor(page, "GraphQL")])
      expect(await shown.isVisible()).toBe(true);
    const texts = page.locator("pre, .code").filter({ visible: true });
    expect(await texts.evaluateAll((all) => all.filter((one) => one.scrollHeight > one.clientHeight + 1).length)).toBe(
      0,
    );
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280);
  });
});

/** Returns the latitudes of the REST request. */
async function latitudes(page: Page): Promise<readonly [south: number, north: number]> {
  const text = await page.getByRole("textbox", { name: "REST", exact: true }).innerText();
  const [south = Number.NaN, north = Number.NaN] = [...text.matchAll(/filter\[lat\]\[between\]=(-?[\d.]+)/g)].map(
    ([, value]) => Number(value),
  );
  return [south, north];
}

/** Counts the pixels in the color of matching points. Runs in the page. */
function matchingPixels(): number {
  const canvas = document.querySelector("canvas") as HTMLCanvasElement;
  const { data } = (canvas.getContext("2d") as CanvasRenderingContext2D).getImageData(
    0,
    0,
    canvas.width,
    canvas.height,
  );
  let count = 0;
  for (let at = 0; at < data.length; at += 4) {
    if ((data[at + 1] ?? 0) > (data[at] ?? 0) + 60 && (data[at + 3] ?? 0) > 150) count++;
  }
  return count;
}
