import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { build, createServer, type ViteDevServer } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, launch, openPage } from "../../../tests/browser/chromium.ts";

const folder = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));
const isSkipped = CHROMIUM === undefined && process.env["CI"] === undefined;
if (isSkipped) console.warn("The front end is not tested: there is no Chromium (Debian: apt-get install chromium).");

describe.skipIf(isSkipped)("the front end, in Chromium", { timeout: 60_000 }, () => {
  let server: ChildProcess;
  let vite: ViteDevServer;
  let browser: Browser;

  beforeAll(async () => {
    server = spawn(process.execPath, ["--conditions=@bifocal/source", "src/main.ts"], {
      cwd: folder("api"),
      env: { ...process.env, PORT: "0" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    server.stdout?.on("data", (chunk: Buffer) => (text += chunk.toString()));
    while (!text.includes("\n")) await new Promise((resolve) => setTimeout(resolve, 20));
    const proxy = { "/api": new URL(/http:\/\/\S+/.exec(text)?.[0] ?? "").origin };
    vite = await createServer({ root: folder("web"), server: { port: 0, proxy }, logLevel: "error" });
    await vite.listen();
    browser = await launch();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await vite?.close();
    server.kill();
  });

  const open = async (): Promise<{ readonly page: Page; readonly complaints: string[] }> => {
    const opened = await openPage(browser);
    await opened.page.goto(vite.resolvedUrls?.local[0] ?? "");
    await opened.page.getByRole("cell", { name: "Emma", exact: true }).waitFor();
    return opened;
  };

  test("shows books of the API, and changes of another window as they happen", async () => {
    const one = await open();
    const other = await open();
    await one.page.getByLabel("Title").fill("Sanditon");
    await one.page.getByLabel("Price").fill("7.50");
    await one.page.getByLabel("Author").selectOption("Jane Austen");
    await one.page.getByRole("button", { name: "Add", exact: true }).click();
    await expect.poll(() => one.page.locator("#status").textContent()).toBe("Added Sanditon.");
    await other.page.getByRole("row", { name: "Sanditon Jane Austen 7.50 –" }).waitFor();
    await other.page.getByRole("button", { name: "Discount Sanditon" }).click();
    await one.page.getByRole("row", { name: "Sanditon Jane Austen 6.75 –" }).waitFor();
    expect([...one.complaints, ...other.complaints]).toEqual([]);
  });

  test("shows which fields the API rejects", async () => {
    const { page } = await open();
    await page.getByLabel("Price").fill("-1");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await expect.poll(() => page.locator("#status").textContent()).toMatch(/^title: .+ price: /);
  });
});

test("the bundle contains no code of the server", async () => {
  const built = await build({ root: folder("web"), logLevel: "error", build: { write: false } });
  const output = Array.isArray(built) ? built.flatMap((one) => one.output) : "output" in built ? built.output : [];
  const chunks = output.filter((one) => one.type === "chunk");
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds).filter((id) => id.includes("/packages/"));
  expect(modules.length).toBeGreaterThan(5);
  expect(modules.filter((id) => !id.includes("/packages/client/"))).toEqual([]);
  expect(chunks.flatMap(({ moduleIds }) => moduleIds).filter((id) => id.includes("two-packages/api"))).toEqual([]);
});
