// Runs Lighthouse on each kind of page, on desktop and mobile. Exits with 1 if a category has less than 95 points.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import puppeteer from "puppeteer-core";
import { DEVICES, judgePage, type Verdict } from "./judge-page.ts";
import { PAGES } from "./pages.ts";

const GOAL = 95;
/** Other programs on the machine slow a page down, so a slow page is measured again. */
const MAX_ATTEMPTS = 3;
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
const PATHS = [process.env["CHROMIUM"], "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const executablePath = PATHS.find((path) => path !== undefined && existsSync(path));
if (executablePath === undefined) throw new Error("Install Chromium, or set CHROMIUM to its path.");

const [only = ""] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "lighthouse-"));
const servers = spawn(
  process.execPath,
  [
    "--conditions=@bifocal/source",
    "--disable-warning=ExperimentalWarning",
    fileURLToPath(new URL("serve.ts", import.meta.url)),
  ],
  { env: { ...process.env, ATLAS: `sqlite:${join(folder, "atlas.db")}` }, stdio: ["ignore", "pipe", "inherit"] },
);
const browser = await puppeteer.launch({ executablePath, args: ["--no-sandbox"] });
let judged = 0;
let failed = 0;
try {
  const lines = createInterface({ input: servers.stdout });
  const { value: line } = (await lines[Symbol.asyncIterator]().next()) as { readonly value?: string };
  if (line === undefined) throw new Error("The servers did not start.");
  const urls = JSON.parse(line) as Readonly<Record<"library" | "atlas", string>>;
  for (const { name, server, path, status, key, isForeign = false } of PAGES.filter((page) =>
    page.name.includes(only),
  )) {
    const url = urls[server] + path;
    const headers = { accept: "text/html" };
    // A signed-in caller loads the page again by script, so the first response is that of an anonymous caller.
    const { status: received } = await fetch(url, { headers });
    if (received !== status) throw new Error(`${url} returns ${received} instead of ${status}.`);
    // Search engines don't list error pages, and a failed request is what an error page is about.
    const categories = status === 200 ? CATEGORIES : CATEGORIES.filter((category) => category !== "seo");
    for (const device of DEVICES) {
      let verdict: Verdict;
      let attempts = 0;
      do {
        verdict = await judgePage(browser, url, { device, categories, key });
        attempts++;
      } while (!isForeign && attempts < MAX_ATTEMPTS && (verdict.scores["performance"] ?? 0) < GOAL);
      const isGood = Object.values(verdict.scores).every((score) => score >= GOAL);
      if (!isForeign) judged++;
      if (!isGood && !isForeign) failed++;
      const shown = Object.entries(verdict.scores).map(([category, score]) => `${category} ${score}`);
      const again = attempts === 1 ? "" : ` (measured ${attempts} times)`;
      const word = isForeign ? "other" : isGood ? "ok   " : "wrong";
      console.log(`${word} ${device.padEnd(7)} ${name}: ${shown.join(", ")}${again}`);
      for (const finding of verdict.findings) console.log(`        ${finding}`);
    }
  }
} finally {
  await browser.close();
  servers.kill();
  rmSync(folder, { recursive: true, force: true });
}
console.log(
  failed === 0 ? `Every page has at least ${GOAL} points.` : `${failed} pages have less than ${GOAL} points.`,
);
console.log(`cases: ${judged} judgements`);
process.exitCode = failed === 0 ? 0 : 1;
