import { accessSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

const PATHS = [process.env["CHROMIUM"], "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The browser of this machine. Undefined if there is none, which fails in CI. */
export const CHROMIUM: string | undefined = PATHS.find((path) => path !== undefined && exists(path));

function exists(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}

export async function launch(): Promise<Browser> {
  if (CHROMIUM === undefined) {
    throw new Error("There is no Chromium. Install it (Debian: apt-get install chromium), or say where by CHROMIUM.");
  }
  return chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
}

export interface PageOptions extends BrowserContextOptions {
  /** A bearer token, with which the pages are signed in. */
  readonly credential?: string;
}

/** Opens a page and records its errors, including those of the content security policy. */
export async function openPage(
  browser: Browser,
  options: PageOptions = {},
): Promise<{ readonly page: Page; readonly complaints: string[] }> {
  const { credential, ...context } = options;
  const page = await (await browser.newContext(context)).newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  if (credential !== undefined) {
    const stored = JSON.stringify({ header: "Authorization: Bearer", value: credential });
    await page.addInitScript((text) => sessionStorage.setItem("bifocal-credential", text), stored);
  }
  return { page, complaints };
}
