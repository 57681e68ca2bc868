// Packs every published package and checks the tarballs as a user would install them: publint, are-the-types-wrong,
// and consumers outside the workspace that import, require and type-check them on graphql 16 and 17.
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { checkFrontEnd } from "./check-front-end.mjs";
import { mapInParallel } from "./map-in-parallel.mjs";
import { runQuickStart } from "./run-quick-start.mjs";

const root = resolve(import.meta.dirname, "..");
const names = [
  "core",
  "node-http",
  "fetch",
  "client",
  "express",
  "fastify",
  "scalar",
  "swagger-ui",
  "console",
  "graphiql",
  "redis",
  "nats",
  "jwt",
  "opentelemetry",
  "testing",
  "sql",
];
/** Packages without CommonJS. */
const ESM_ONLY = new Set(["client"]);
const scratch = mkdtempSync(join(tmpdir(), "bifocal-packed-"));

const execute = promisify(execFile);

async function run(command, args, cwd) {
  try {
    const running = execute(command, args, { cwd, maxBuffer: 2 ** 26 });
    running.child.stdin.end();
    return (await running).stdout;
  } catch (error) {
    console.error(`${command} ${args.join(" ")} failed in ${cwd}\n${error.stdout ?? ""}${error.stderr ?? ""}`);
    process.exit(1);
  }
}

async function pack(folder) {
  const [packed] = JSON.parse(await run("npm", ["pack", "--json", "--pack-destination", scratch], folder));
  return join(scratch, packed.filename);
}

/**
 * What `import { allow }` may cost with `skipLibCheck: false`, most of it for zod, graphql and @types/node: 226,000 type
 * instantiations when this limit was set. With the index of type-fest in the declarations there were 3,244,000.
 */
const MAX_INSTANTIATIONS = 400_000;

/** Checks one file that imports the package, together with all declarations of its dependencies. */
async function checkTypeCost(folder, graphql) {
  const file = join(folder, "type-cost.ts");
  writeFileSync(file, 'import { allow } from "@bifocal/core";\nexport const rule = allow;\n');
  const options = ["--noEmit", "--ignoreConfig", "--strict", "--skipLibCheck", "false", "--types", "node"];
  const modules = ["--module", "nodenext", "--target", "es2024", "--extendedDiagnostics"];
  const report = await run("npx", ["--no-install", "tsc", ...options, ...modules, file], folder);
  const count = (name) => Number(new RegExp(`^${name}:\\s+([\\d.]+)`, "m").exec(report)?.[1]);
  const instantiations = count("Instantiations");
  console.log(`type cost on graphql ${graphql}: ${instantiations} instantiations, ${count("Check time")} s`);
  if (!(instantiations > 0 && instantiations <= MAX_INSTANTIATIONS)) {
    console.error(`The limit is ${MAX_INSTANTIATIONS}. Do declarations import a package with an expensive index?`);
    process.exit(1);
  }
}

const packPackage = (name) => pack(join(root, "packages", name));
const tarballOf = (name) => tarballs[names.indexOf(name)];
const tarballs = await mapInParallel(names, packPackage);
// The command line has no entry point, so it has no types.
const commandLine = await packPackage("bifocal");
await run("npx", ["--no-install", "publint", "run", "--strict", commandLine], root);
await mapInParallel(names, async (name) => {
  const tarball = tarballOf(name);
  await run("npx", ["--no-install", "publint", "run", "--strict", tarball], root);
  const profile = ESM_ONLY.has(name) ? "esm-only" : "node16";
  await run("npx", ["--no-install", "attw", tarball, "--profile", profile], root);
});
console.log(`publint and are-the-types-wrong: ${names.length} packages, nothing to say`);

const consumer = join(root, "scripts", "packed-consumer");
async function checkConsumer(graphql) {
  const folder = join(scratch, `graphql-${graphql}`);
  mkdirSync(folder);
  for (const file of readdirSync(consumer)) cpSync(join(consumer, file), join(folder, file));
  const dependencies = Object.fromEntries(names.map((name, index) => [`@bifocal/${name}`, `file:${tarballs[index]}`]));
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({
      private: true,
      type: "module",
      dependencies: {
        ...dependencies,
        bifocal: `file:${commandLine}`,
        "@graphql-inspector/core": "8.0.0",
        "@opentelemetry/api": "1.9.0",
        "@nats-io/transport-node": "3.4.0",
        express: "5.3.0",
        fastify: "5.12.8",
        graphql,
        redis: "6.3.1",
        zod: "4.6.7",
      },
      devDependencies: {
        "@types/express": "5.0.6",
        "@types/node": "24.19.2",
        "@typescript/native": "npm:typescript@7.0.2",
      },
    }),
  );
  await run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], folder);
  for (const file of ["consumer.mjs", "consumer.cjs"]) console.log((await run("node", [file], folder)).trim());
  for (const command of ["db plan", "db apply", "db check", "sdl"]) {
    await run("npx", ["--no-install", "bifocal", ...command.split(" "), "--api", "shop.ts"], folder);
  }
  await run("npx", ["--no-install", "tsc", "-p", "tsconfig.json"], folder);
  console.log(`strict types on graphql ${graphql}: no complaint`);
  await checkTypeCost(folder, graphql);
}

await mapInParallel(["16.15.0", "17.1.0"], checkConsumer);
await checkFrontEnd({ folder: join(scratch, "front-end"), run, pack, tarballOf });
await runQuickStart({ folder: join(scratch, "quick-start"), tarballOf });
console.log("quick start: every command of the README succeeds");
rmSync(scratch, { recursive: true, force: true });
