import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeInChromium, openPageToKeep, useSite } from "./in-chromium.ts";
import { KEY, PAGE_KINDS, startLibrary } from "./library.ts";

const MAX_BYTES = 120 * 1024;
const MAX_STOPS = 200;

// `axe.test.ts` looks at each kind in light mode, in dark mode, and at a width of 360 px.
describeInChromium("each kind of page", () => {
  const library = useSite(() => startLibrary());

  describe.each(PAGE_KINDS)("$name", ({ path, isSignedIn = false, prepare }) => {
    let page: Page;
    const bodies: Promise<Buffer>[] = [];
    beforeAll(async () => {
      ({ page } = await openPageToKeep(isSignedIn ? { credential: KEY } : {}));
      page.on("response", (response) => bodies.push(response.body().catch(() => Buffer.of())));
      await page.goto(library.url + path);
      await prepare?.(page);
    });
    afterAll(() => page.context().close());

    test("lets the keyboard reach each link and control, and shows the focus", async () => {
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
    });

    test("has at most 120 KiB with its files", async () => {
      await page.waitForLoadState("networkidle");
      const bytes = Buffer.concat(await Promise.all(bodies)).length;
      expect(bytes).toBeGreaterThan(5_000);
      // A signed-in caller loads the document twice.
      expect(bytes).toBeLessThan(MAX_BYTES);
    });

    test("prints neither navigation nor controls", async () => {
      await page.emulateMedia({ media: "print" });
      expect(await page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
      const others = "nav, aside, button, form, footer, .rail, .tools, .actions, .session, .bar";
      expect(await page.locator(others).filter({ visible: true }).count()).toBe(0);
    });
  });

  describe("without script", () => {
    let opened: Awaited<ReturnType<typeof openPageToKeep>>;
    beforeAll(async () => {
      opened = await openPageToKeep({ javaScriptEnabled: false });
    });
    const readable = PAGE_KINDS.filter(
      ({ name, prepare, isSignedIn = false }) => prepare === undefined && !isSignedIn && name !== "console",
    );

    test.each(readable)("shows its content: $name", async ({ path }) => {
      const { page, complaints } = opened;
      await page.goto(library.url + path);
      expect(await page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
      expect((await page.locator("main").innerText()).length).toBeGreaterThan(30);
      expect(await page.locator("[data-script]").filter({ visible: true }).count()).toBe(0);
      expect(complaints.splice(0).filter((text) => !/ (400|401|404|500) /.test(text))).toEqual([]);
    });
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
