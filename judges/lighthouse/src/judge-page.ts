import lighthouse, { desktopConfig } from "lighthouse";
import type { Browser } from "puppeteer-core";

export const DEVICES = ["desktop", "mobile"] as const;
export type Device = (typeof DEVICES)[number];

interface Options {
  readonly device: Device;
  /** Categories of Lighthouse, such as `performance`. */
  readonly categories: readonly string[];
  readonly key?: string | undefined;
}

export interface Verdict {
  /** From 0 to 100 for each category. */
  readonly scores: Readonly<Record<string, number>>;
  /** Audits that cost points: category, title and points. */
  readonly findings: readonly string[];
}

/** Loads a page in a new browser context and returns the scores of Lighthouse. */
export async function judgePage(browser: Browser, url: string, { device, categories, key }: Options): Promise<Verdict> {
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    if (key !== undefined) {
      const stored = JSON.stringify({ header: "Authorization: Bearer", value: key });
      await page.evaluateOnNewDocument((text: string) => sessionStorage.setItem("bifocal-credential", text), stored);
    }
    const flags = { onlyCategories: [...categories], ignoreStatusCode: true, logLevel: "silent" } as const;
    const result = await lighthouse(url, flags, device === "desktop" ? desktopConfig : undefined, page);
    if (result === undefined) throw new Error(`Lighthouse returned nothing for ${url}.`);
    const { lhr } = result;
    if (lhr.runtimeError !== undefined) throw new Error(lhr.runtimeError.message);
    const judged = Object.values(lhr.categories);
    return {
      scores: Object.fromEntries(judged.map(({ id, score }) => [id, Math.round((score ?? 0) * 100)])),
      findings: judged.flatMap(({ id, auditRefs }) =>
        auditRefs.flatMap(({ id: name, weight }) => {
          const audit = lhr.audits[name];
          if (audit === undefined || audit.score === null || audit.score >= 0.9 || weight === 0) return [];
          const { displayValue = "" } = audit;
          return [`${id}: ${audit.title} ${displayValue} (${audit.score})`];
        }),
      ),
    };
  } finally {
    await context.close();
  }
}
