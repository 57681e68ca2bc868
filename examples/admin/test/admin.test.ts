import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { createServer, type ViteDevServer } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, launch, openPage } from "../../../tests/browser/chromium.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const missing = [
  ...(CHROMIUM === undefined ? ["there is no Chromium (Debian: apt-get install chromium)"] : []),
  ...(existsSync(`${root}node_modules/react-admin`) ? [] : ["run `npm ci --prefix examples/admin`"]),
];
const isSkipped = missing.length > 0 && process.env["CI"] === undefined;
if (isSkipped) console.warn(`The admin panel is not tested: ${missing.join(", and ")}.`);

describe.skipIf(isSkipped)("react-admin, in Chromium", { timeout: 120_000 }, () => {
  let server: ChildProcess;
  let vite: ViteDevServer;
  let browser: Browser;

  beforeAll(async () => {
    server = spawn(process.execPath, ["--conditions=@bifocal/source", "src/main.ts"], {
      cwd: fileURLToPath(new URL("../../two-packages/api", import.meta.url)),
      env: { ...process.env, PORT: "0" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    server.stdout?.on("data", (chunk: Buffer) => (text += chunk.toString()));
    while (!text.includes("\n")) await new Promise((resolve) => setTimeout(resolve, 20));
    const proxy = { "/api": new URL(/http:\/\/\S+/.exec(text)?.[0] ?? "").origin };
    vite = await createServer({ root, server: { port: 0, proxy }, logLevel: "error" });
    await vite.listen();
    browser = await launch();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await vite?.close();
    server.kill();
  });

  const open = async (path: string): Promise<Page> => {
    const { page } = await openPage(browser);
    page.setDefaultTimeout(60_000);
    await page.goto(`${vite.resolvedUrls?.local[0] ?? ""}#${path}`);
    return page;
  };

  test("lists, sorts, filters and pages rows", async () => {
    const page = await open("/book");
    await page.getByRole("cell", { name: "Frankenstein" }).waitFor();
    await page.getByRole("button", { name: "Sort by Price" }).click();
    const titles = page.locator("td.column-title");
    await expect
      .poll(() => titles.allTextContents(), { timeout: 60_000 })
      .toEqual(["Persuasion", "Frankenstein", "Emma"]);
    await page.getByText("1-3 of 3").waitFor();
    await page.getByRole("textbox", { name: "Title" }).fill("FRANK");
    await expect.poll(() => titles.allTextContents(), { timeout: 60_000 }).toEqual(["Frankenstein"]);
  });

  test("updates a row, and shows the message of a rejected field", async () => {
    const page = await open("/book/b0000000-0000-4000-8000-000000000002");
    const price = page.getByLabel("Price");
    await price.fill("-1");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator(".MuiFormHelperText-root.Mui-error", { hasText: /\S/ }).waitFor();
    await price.fill("8.25");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("cell", { name: "8.25" }).waitFor();
    expect(page.url()).toMatch(/#\/book(\?|$)/);
  });

  test("shows the rows of a relation, and deletes the selected ones", async () => {
    const page = await open("/book");
    await page.getByRole("cell", { name: "Jane Austen" }).first().waitFor();
    await page.getByRole("row", { name: "Frankenstein" }).getByRole("checkbox").click();
    await page.getByRole("button", { name: "Delete" }).click();
    const titles = async (): Promise<string[]> => {
      const response = await fetch(`${vite.resolvedUrls?.local[0] ?? ""}api/books?sort=title`);
      return ((await response.json()) as { title: string }[]).map(({ title }) => title);
    };
    // react-admin offers to undo this for some seconds.
    await expect.poll(titles, { timeout: 30_000 }).toEqual(["Emma", "Persuasion"]);
  });
});

test.skipIf(isSkipped)("the data provider has the type that react-admin expects", { timeout: 120_000 }, async () => {
  const run = promisify(execFile);
  await expect(run("npx", ["--no-install", "tsc", "-b", root], { cwd: root })).resolves.toMatchObject({ stdout: "" });
});
