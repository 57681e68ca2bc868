// Builds the packages, each one after those that it depends on: their declarations need the built ones.
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { mapInParallel } from "./map-in-parallel.mjs";

const execute = promisify(execFile);
const packages = resolve(import.meta.dirname, "..", "packages");
let waiting = readdirSync(packages)
  .map((folder) => ({ folder, ...JSON.parse(readFileSync(join(packages, folder, "package.json"), "utf8")) }))
  .filter(({ scripts }) => scripts?.build !== undefined);

function dependsOn({ dependencies, peerDependencies, devDependencies }, { name }) {
  return name in { ...dependencies, ...peerDependencies, ...devDependencies };
}

async function build({ name, folder }) {
  const start = performance.now();
  try {
    await execute("npm", ["run", "build"], { cwd: join(packages, folder), maxBuffer: 2 ** 26 });
  } catch (error) {
    console.error(`The build of ${name} failed.\n${error.stdout ?? ""}${error.stderr ?? error}`);
    process.exit(1);
  }
  console.log(`${name}: ${((performance.now() - start) / 1_000).toFixed(1)} s`);
}

while (waiting.length > 0) {
  const ready = waiting.filter((one) => !waiting.some((other) => dependsOn(one, other)));
  if (ready.length === 0) throw new Error("Packages depend on each other in a circle.");
  await mapInParallel(ready, build);
  waiting = waiting.filter((one) => !ready.includes(one));
}
