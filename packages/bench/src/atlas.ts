// Measures the start of the main example until its first response and until the browser has painted its page, and single
// requests over HTTP with 171,075 cities.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";

const QUESTIONS: Readonly<Record<string, string>> = {
  "a filter, with the country of each": "/cities?filter[name]=Paris&fields=name,country.name&page[size]=5",
  "three levels": "/countries/LI?fields=name,neighbors.name,neighbors.cities.name&rel[neighbors.cities][sort]=-lat",
  "a sorted page in the middle": "/cities?sort=name&page[size]=20&page[offset]=2000",
  "a scan of all rows, counted": "/cities?filter[name][contains]=burg&count=true&page[size]=5",
  "cities of a map of the Alps, capitals first":
    "/cities?filter[lat][between]=45&filter[lat][between]=48&filter[lng][between]=5&filter[lng][between]=14&sort=-capital,name&fields=id,name,country.name,lat,lng&page[size]=12&count=true",
};
const STARTS = 5;
const REPEATS = 500;
const POINTS = "/cities?fields=lat,lng";
const { CHROMIUM = "/usr/bin/chromium" } = process.env;
const folder = mkdtempSync(join(tmpdir(), "bench-atlas-"));

interface Started {
  readonly url: string;
  /** Milliseconds from the start of the process to its first response. */
  readonly took: number;
  readonly begin: number;
  /** Milliseconds of processor time until then, on Linux. */
  readonly processorTime: number;
  readonly stop: () => Promise<void>;
}

function quantile(values: readonly number[], part: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

async function start(): Promise<Started> {
  const port = await freePort();
  const begin = performance.now();
  const child = spawn(process.execPath, ["--conditions=@bifocal/source", "src/main.ts"], {
    cwd: fileURLToPath(new URL("../../../examples/atlas", import.meta.url)),
    env: { ...process.env, PORT: String(port), DATABASE_URL: `sqlite:${join(folder, "atlas.db")}` },
    stdio: "ignore",
  });
  const url = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(`${url}/api/countries/CH`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const took = performance.now() - begin;
  const processorTime = processorTimeOf(child.pid);
  const stop = async (): Promise<void> => {
    child.kill();
    await once(child, "exit");
  };
  return { url, took, begin, processorTime, stop };
}

/** Linux counts in hundredths of a second. */
function processorTimeOf(pid: number | undefined): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  const fields = readFileSync(file, "utf8").split(" ");
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

/** Opens the page, and returns the milliseconds from the start of the server to the first paint and to all points. */
async function paint(
  browser: Browser,
  { url, begin }: Started,
): Promise<{ readonly first: number; readonly all: number }> {
  const page = await browser.newPage();
  const opened = performance.now();
  await page.goto(url);
  await page.locator("#map[data-points]").waitFor();
  const all = performance.now() - begin;
  const shown = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
  await page.close();
  return { first: opened - begin + (shown ?? Number.NaN), all };
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

const first = await start();
console.log(`Node ${process.version}; first start, with the import: ${seconds(first.took)}`);
await first.stop();
const browser = existsSync(CHROMIUM)
  ? await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] })
  : undefined;
const starts: Started[] = [];
const paints: { readonly first: number; readonly all: number }[] = [];
for (let n = 0; n < STARTS; n++) {
  const started = await start();
  starts.push(started);
  if (browser !== undefined) paints.push(await paint(browser, started));
  await started.stop();
}
await browser?.close();
const median = (values: readonly number[]): string => seconds(quantile(values, 0.5));
console.log(
  `Later starts, median of ${STARTS}: first response after ${median(starts.map(({ took }) => took))}, ${median(starts.map(({ processorTime }) => processorTime))} of processor time`,
);
if (browser === undefined) console.log("There is no Chromium, so the first paint is not measured.");
else {
  console.log(
    `  first paint after ${median(paints.map((one) => one.first))} (the slowest ${seconds(Math.max(...paints.map((one) => one.first)))})`,
  );
  console.log(`  all points on the map after ${median(paints.map((one) => one.all))}`);
}

const { url, stop } = await start();
console.log("\n| question | median ms | 99 % under ms |\n|---|---:|---:|");
for (const [name, path] of Object.entries(QUESTIONS)) {
  const times: number[] = [];
  for (let n = -20; n < REPEATS; n++) {
    const began = performance.now();
    const response = await fetch(`${url}/api${path}`);
    await response.text();
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
    if (n >= 0) times.push(performance.now() - began);
  }
  console.log(`| ${name} | ${quantile(times, 0.5).toFixed(2)} | ${quantile(times, 0.99).toFixed(2)} |`);
}
console.log("\n| all points as | MB | median ms |\n|---|---:|---:|");
for (const accept of ["application/vnd.atlas.points", "text/csv", "application/x-ndjson"]) {
  const times: number[] = [];
  let size = 0;
  for (let n = -1; n < 9; n++) {
    const began = performance.now();
    size = (await (await fetch(`${url}/api${POINTS}`, { headers: { accept } })).arrayBuffer()).byteLength;
    if (n >= 0) times.push(performance.now() - began);
  }
  console.log(`| ${accept} | ${(size / 1e6).toFixed(1)} | ${quantile(times, 0.5).toFixed(0)} |`);
}
await stop();
rmSync(folder, { recursive: true, force: true });
