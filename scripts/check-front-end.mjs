// Checks the two packages of examples/two-packages as two repositories: the front end sees only the packed declarations of the API.
import { cpSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";

const root = resolve(import.meta.dirname, "..");
const example = join(root, "examples", "two-packages");
const fixtures = join(import.meta.dirname, "packed-front-end");

/** Installs the front end in an empty folder, checks its types and bundles it. `pack` makes a tarball of a folder. */
export async function checkFrontEnd({ folder, run, pack, tarballOf }) {
  await run("npx", ["--no-install", "tsc", "-b", join(example, "api")], root);
  cpSync(join(example, "web", "src"), join(folder, "src"), { recursive: true });
  for (const file of readdirSync(fixtures)) {
    cpSync(join(fixtures, file), join(folder, file.endsWith(".ts") ? "src" : "", file));
  }
  const packages = ["core", "client", "node-http"].map((name) => [`@bifocal/${name}`, `file:${tarballOf(name)}`]);
  const dependencies = {
    ...Object.fromEntries(packages),
    "@bifocal/example-library-api": `file:${await pack(join(example, "api"))}`,
    "@typescript/native": "npm:typescript@7.0.2",
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }));
  await run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], folder);
  const installed = readdirSync(join(folder, "node_modules", "@bifocal", "example-library-api", "dist"));
  if (installed.some((file) => !file.endsWith(".d.ts"))) throw new Error(`The API contains code: ${installed.join()}.`);
  await run("npx", ["--no-install", "tsc", "-p", "tsconfig.json"], folder);
  const entryPoints = [join(folder, "src", "main.ts")];
  const options = { bundle: true, minify: true, write: false, format: "esm", platform: "browser", metafile: true };
  const { outputFiles, metafile } = await build({ ...options, entryPoints, absWorkingDir: folder });
  const foreign = Object.keys(metafile.inputs).filter(
    (path) => path.includes("node_modules/") && !path.includes("@bifocal/client/"),
  );
  if (foreign.length > 0) throw new Error(`The bundle contains code of other packages: ${foreign.join(", ")}.`);
  console.log(
    `front end with the declarations of an API: its types are right, its bundle has ${outputFiles[0].text.length} bytes`,
  );
}
