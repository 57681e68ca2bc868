import type { Browser } from "playwright-core";
import { openPage } from "../chromium.ts";
import type { Image } from "./images.ts";

/** Takes an image of a page as WebP, which only the protocol of Chromium writes. */
export async function takeImage(
  browser: Browser,
  url: string,
  { path, colorScheme, width, height, isSignedIn = false, prepare, key }: Image & { readonly key: string },
): Promise<Buffer> {
  const options = { colorScheme, viewport: { width, height }, deviceScaleFactor: 2, locale: "en-US" };
  const { page } = await openPage(browser, isSignedIn ? { ...options, credential: key } : options);
  await page.goto(url + path, { waitUntil: "networkidle" });
  if (isSignedIn) await page.getByText("Signed in as").waitFor();
  await prepare?.(page);
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 80 });
  await page.context().close();
  return Buffer.from(data, "base64");
}
