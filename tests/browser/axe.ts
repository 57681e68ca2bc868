import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

/** Standards of axe: WCAG 2.2 at level AA, and its best practices. */
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
  readonly passes: readonly unknown[];
}

interface AxeWindow {
  readonly axe: { readonly run: (context: string, options: object) => Promise<AxeResults> };
}

export interface AxeFindings {
  /** One line for each finding: the rule, and the start of the element. */
  readonly violations: readonly string[];
  /** Number of rules that the page passed, which shows that axe ran. */
  readonly passed: number;
}

/** Runs axe on the page as it is shown, or on the element with a selector. */
export async function runAxe(page: Page, selector = "html"): Promise<AxeFindings> {
  // The policy of the pages forbids other scripts, but not the evaluation by the browser's own tools.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(SOURCE);
  const { violations, passes } = await page.evaluate(
    async ({ within, tags }) => {
      const { axe } = globalThis as unknown as AxeWindow;
      return axe.run(within, { runOnly: { type: "tag", values: tags }, resultTypes: ["violations"] });
    },
    { within: selector, tags: TAGS },
  );
  return {
    violations: violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary = "" }) => `${id} (${help}): ${html.slice(0, 300)} ${failureSummary}`),
    ),
    passed: passes.length,
  };
}
