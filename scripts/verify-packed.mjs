// Packs every published package and checks the tarballs as a user would install them: publint, are-the-types-wrong,
// and consumers outside the workspace that import, require and type-check them on graphql 16 and 17.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { checkFrontEnd } from "./check-front-end.mjs";
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

function run(command, args, cwd) {
  try {
    return execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    console.error(`${command} ${args.join(" ")} failed in ${cwd}\n${error.stdout ?? ""}${error.stderr ?? ""}`);
    process.exit(1);
  }
}

function pack(folder) {
  const [packed] = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", scratch], folder));
  return join(scratch, packed.filename);
}

/**
 * What `import { allow }` may cost with `skipLibCheck: false`, most of it for zod, graphql and @types/node: 226,000 type
 * instantiations when this limit was set. With the index of type-fest in the declarations there were 3,244,000.
 */
const MAX_INSTANTIATIONS = 400_000;

/** Checks one file that imports the package, together with all declarations of its dependencies. */
function checkTypeCost(folder, graphql) {
  const file = join(folder, "type-cost.ts");
  writeFileSync(file, 'import { allow } from "@bifocal/core";\nexport const rule = allow;\n');
  const options = ["--noEmit", "--ignoreConfig", "--strict", "--skipLibCheck", "false", "--types", "node"];
  const modules = ["--module", "nodenext", "--target", "es2024", "--extendedDiagnostics"];
  const report = run("npx", ["--no-install", "tsc", ...options, ...modules, file], folder);
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
const tarballs = names.map(packPackage);
// The command line has no entry point, so it has no types.
const commandLine = packPackage("bifocal");
run("npx", ["--no-install", "publint", "run", "--strict", commandLine], root);
for (const [index, tarball] of tarballs.entries()) {
  run("npx", ["--no-install", "publint", "run", "--strict", tarball], root);
  const profile = ESM_ONLY.has(names[index]) ? "esm-only" : "node16";
  run("npx", ["--no-install", "attw", tarball, "--profile", profile], root);
}
console.log(`publint and are-the-types-wrong: ${names.length} packages, nothing to say`);

const consumer = join(root, "scripts", "packed-consumer");
for (const graphql of ["16.15.0", "17.1.0"]) {
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
  run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], folder);
  for (const file of ["consumer.mjs", "consumer.cjs"]) console.log(run("node", [file], folder).trim());
  for (const command of ["db plan", "db apply", "db check", "sdl"]) {
    run("npx", ["--no-install", "bifocal", ...command.split(" "), "--api", "shop.ts"], folder);
  }
  run("npx", ["--no-install", "tsc", "-p", "tsconfig.json"], folder);
  console.log(`strict types on graphql ${graphql}: no complaint`);
  checkTypeCost(folder, graphql);
}
await checkFrontEnd({ folder: join(scratch, "front-end"), run, pack, tarballOf });
await runQuickStart({ folder: join(scratch, "quick-start"), tarballOf });
console.log("quick start: every command of the README succeeds");
rmSync(scratch, { recursive: true, force: true });
