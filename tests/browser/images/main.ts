// Writes the images of the docs, or of one name: `npm run docs:images -- [NAME] [FOLDER]`
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startBookstore } from "@bifocal/example-bookstore/start";
import { launch } from "../chromium.ts";
import { takeImage } from "./take-image.ts";
import { IMAGES } from "./images.ts";

const KEYS = { admin: "k".repeat(24) };
const [only, folder = "docs/images"] = process.argv.slice(2);
const browser = await launch();
const store = await startBookstore({ adapter: "node-http", port: 0, host: "127.0.0.1", keys: KEYS });
for (const image of IMAGES) {
  if (only !== undefined && only !== "" && image.name !== only) continue;
  const bytes = await takeImage(browser, store.url, { ...image, key: KEYS.admin });
  const path = join(folder, `${image.name}.webp`);
  writeFileSync(path, bytes);
  console.log(`${path}: ${Math.round(bytes.length / 1024)} KiB`);
}
await browser.close();
await store.close();
