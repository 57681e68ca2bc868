import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe } from "vitest";
import { CHROMIUM, launch, openPage as openPageIn, type PageOptions } from "./chromium.ts";

/** Machines are slow when they run several browsers: a page of GraphiQL has taken 60 seconds, of usually two. */
const TIMEOUT_MS = 240_000;

let launched: Promise<Browser> | undefined;
const opened = new Set<BrowserContext>();

/** Describes tests that share one browser. Without Chromium they are skipped, except in CI. */
export function describeInChromium(name: string, tests: () => void): void {
  const isSkipped = CHROMIUM === undefined && process.env["CI"] === undefined;
  if (isSkipped) console.warn(`Skipped without Chromium: ${name} (Debian: apt-get install chromium).`);
  describe.skipIf(isSkipped)(`${name}, in Chromium`, { timeout: TIMEOUT_MS }, () => {
    beforeAll(() => {
      // The browser starts while the site does.
      launched = launch();
      launched.catch(() => {});
    });
    afterEach(async () => {
      const contexts = [...opened];
      opened.clear();
      await Promise.all(contexts.map((context) => context.close()));
    });
    afterAll(async () => (await launched)?.close());
    tests();
  });
}

/** Opens a page in its own context, which is closed after the test, and records its errors. */
export async function openPage(
  options: PageOptions = {},
): Promise<{ readonly page: Page; readonly complaints: string[] }> {
  const found = await openPageToKeep(options);
  opened.add(found.page.context());
  return found;
}

/** Like `openPage`, for a page that several tests use. */
export async function openPageToKeep(options: PageOptions = {}): ReturnType<typeof openPage> {
  if (launched === undefined) throw new Error("Pages can only be opened in the tests of `describeInChromium`.");
  return openPageIn(await launched, options);
}

/** Starts a site before the tests, and closes it after them. */
export function useSite<Site extends { readonly url: string; readonly close: () => Promise<unknown> }>(
  start: () => Promise<Site>,
): { readonly url: string; readonly current: Site } {
  let site: Site | undefined;
  beforeAll(async () => {
    site = await start();
  }, TIMEOUT_MS);
  afterAll(() => site?.close());
  const started = (): Site => {
    if (site === undefined) throw new Error("The site starts before the first test.");
    return site;
  };
  return {
    get url() {
      return started().url;
    },
    get current() {
      return started();
    },
  };
}
