import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, launch, openPage } from "./chromium.ts";
import { KEY, PAGE_KINDS, type PageKind, startLibrary } from "./library.ts";

const MAX_BYTES = 120 * 1024;
const MAX_STOPS = 200;
const isSkipped = CHROMIUM === undefined && process.env["CI"] === undefined;
if (isSkipped)
  console.warn("The kinds of pages are not tested: Chromium is missing (Debian: apt-get install chromium).");

// `axe.test.ts` opens each kind in light mode, in dark mode, and at a width of 360 px.
describe.skipIf(isSkipped)("each kind of page, in Chromium", { timeout: 60_000 }, () => {
  let browser: Browser;
  let library: Awaited<ReturnType<typeof startLibrary>>;
  beforeAll(async () => {
    [browser, library] = await Promise.all([launch(), startLibrary()]);
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await library.close();
  });

  async function open(
    { path, isSignedIn = false, prepare }: PageKind,
    waitUntil: "load" | "networkidle" = "load",
  ): Promise<{ page: Page; bytes: () => Promise<number> }> {
    const { page } = await openPage(browser, isSignedIn ? { credential: KEY } : {});
    const bodies: Promise<Buffer>[] = [];
    page.on("response", (response) => bodies.push(response.body().catch(() => Buffer.of())));
    await page.goto(library.url + path, { waitUntil });
    await prepare?.(page);
    return { page, bytes: async () => Buffer.concat(await Promise.all(bodies)).length };
  }

  test.each(PAGE_KINDS)("has at most 120 KiB with its files: $name", async (kind) => {
    const { page, bytes } = await open(kind, "networkidle");
    expect(await bytes()).toBeGreaterThan(5_000);
    // A signed-in caller loads the document twice.
    expect(await bytes()).toBeLessThan(MAX_BYTES);
    await page.context().close();
  });

  test.each(PAGE_KINDS)("prints neither navigation nor controls: $name", async (kind) => {
    const { page } = await open(kind);
    await page.emulateMedia({ media: "print" });
    expect(await page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
    const others = "nav, aside, button, form, footer, .rail, .tools, .actions, .session, .bar";
    expect(await page.locator(others).filter({ visible: true }).count()).toBe(0);
    await page.context().close();
  });

  test.each(
    PAGE_KINDS.filter(
      ({ prepare, isSignedIn = false, name }) => prepare === undefined && !isSignedIn && name !== "console",
    ),
  )("shows its content without script: $name", async ({ path }) => {
    const { page, complaints } = await openPage(browser, { javaScriptEnabled: false });
    await page.goto(library.url + path);
    expect(await page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
    expect(((await page.locator("main").innerText()) ?? "").length).toBeGreaterThan(30);
    expect(await page.locator("[data-script]").filter({ visible: true }).count()).toBe(0);
    expect(complaints.filter((text) => !/ (400|401|404|500) /.test(text))).toEqual([]);
    await page.context().close();
  });

  test.each(PAGE_KINDS)("lets the keyboard reach each link and control, and shows the focus: $name", async (kind) => {
    const { page } = await open(kind);
    const stops: { readonly element: string; readonly isMarked: boolean }[] = [];
    for (let at = 0; at < MAX_STOPS; at++) {
      await page.keyboard.press("Tab");
      const stop = await page.evaluate(readFocus);
      if (stop?.isRepeated === true) break;
      // The focus starts at the target of a link, and leaves the page once before it comes to the top.
      if (stop !== undefined) stops.push(stop);
    }
    expect(stops.filter(({ isMarked }) => !isMarked)).toEqual([]);
    expect(await page.evaluate(listMissed)).toEqual([]);
    expect(stops.length).toBeGreaterThan(1);
    await page.context().close();
  });
});

/** Runs in the page. Marks the element with the focus as reached. */
function readFocus():
  | { readonly element: string; readonly isMarked: boolean; readonly isRepeated: boolean }
  | undefined {
  const element = document.activeElement;
  if (element === null || element === document.body) return undefined;
  // Tab also moves between the parts of a date, which the browser marks itself.
  const last = document.querySelector("[data-reached=last]");
  const isRepeated = element.hasAttribute("data-reached") && element !== last;
  last?.setAttribute("data-reached", "");
  element.setAttribute("data-reached", "last");
  const shown = element.matches(".unseen") ? (element.nextElementSibling ?? element) : element;
  const style = getComputedStyle(shown);
  const isMarked = element === last || style.outlineStyle !== "none" || style.boxShadow !== "none";
  return { element: element.outerHTML.slice(0, 120), isMarked, isRepeated };
}

/** Runs in the page. Returns visible links and controls that the focus didn't reach. */
function listMissed(): readonly string[] {
  const scope = document.querySelector("dialog[open]") ?? document;
  return (
    [...scope.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary")]
      .filter(
        (element) => element.checkVisibility({ visibilityProperty: true }) && !element.hasAttribute("data-reached"),
      )
      .filter((element) => !(element instanceof HTMLButtonElement && element.disabled))
      // One radio button of a group has the focus; arrow keys choose the others.
      .filter((element) => !(element instanceof HTMLInputElement && element.type === "radio" && !element.checked))
      .map((element) => element.outerHTML.slice(0, 120))
  );
}
