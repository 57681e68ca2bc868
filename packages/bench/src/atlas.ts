// Measures the start of the main example until its first response, and single requests over HTTP with 171,075 cities.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

const QUESTIONS: Readonly<Record<string, string>> = {
  "a filter, with the country of each": "/cities?filter[name]=Paris&fields=name,country.name&page[size]=5",
  "three levels": "/countries/LI?fields=name,neighbors.name,neighbors.cities.name&rel[neighbors.cities][sort]=-lat",
  "a sorted page in the middle": "/cities?sort=name&page[size]=20&page[offset]=2000",
  "a scan of all rows, counted": "/cities?filter[name][contains]=burg&count=true&page[size]=5",
};
const STARTS = 5;
const REPEATS = 500;

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

async function start(): Promise<{ readonly url: string; readonly took: number; readonly stop: () => Promise<void> }> {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, ["--conditions=@bifocal/source", "src/main.ts"], {
    cwd: fileURLToPath(new URL("../../../examples/atlas", import.meta.url)),
    env: { ...process.env, PORT: String(port) },
    stdio: "ignore",
  });
  const url = `http://127.0.0.1:${port}/api`;
  while (
    !(await fetch(`${url}/countries/CH`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const took = performance.now() - began;
  const stop = async (): Promise<void> => {
    child.kill();
    await once(child, "exit");
  };
  return { url, took, stop };
}

const starts: number[] = [];
for (let n = 1; n < STARTS; n++) {
  const { took, stop } = await start();
  starts.push(took);
  await stop();
}
const { url, took, stop } = await start();
starts.push(took);
console.log(
  `Node ${process.version}; start to first answer: ${(quantile(starts, 0.5) / 1000).toFixed(2)} s (median of ${STARTS})\n`,
);
console.log("| question | median ms | 99 % under ms |\n|---|---:|---:|");
for (const [name, path] of Object.entries(QUESTIONS)) {
  const times: number[] = [];
  for (let n = -20; n < REPEATS; n++) {
    const began = performance.now();
    const response = await fetch(url + path);
    await response.text();
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
    if (n >= 0) times.push(performance.now() - began);
  }
  console.log(`| ${name} | ${quantile(times, 0.5).toFixed(2)} | ${quantile(times, 0.99).toFixed(2)} |`);
}
await stop();
