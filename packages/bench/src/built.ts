import { globSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";
import { BUNDLED, isPeer } from "./contender.ts";

const PACKAGES = resolve(import.meta.dirname, "../..");
/** The packages of this workspace that servers import. */
const USED = ["core", "node-http", "fastify", "sql"];

function newest(pattern: string): number {
  return Math.max(0, ...globSync(pattern, { cwd: PACKAGES }).map((file) => statSync(resolve(PACKAGES, file)).mtimeMs));
}

/** Bundled CommonJS packages need `require` for modules of Node. */
const REQUIRE = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

/**
 * Compiles a server to JavaScript and returns its path. It imports installed packages and the built packages of this
 * workspace, as an application does, or contains them if its name has the suffix `BUNDLED`. Throws if the built ones are
 * missing or older than their sources.
 */
export async function buildServer(name: string): Promise<string> {
  for (const used of USED) {
    if (newest(`${used}/dist/*.js`) < newest(`${used}/src/**/*.ts`))
      throw new Error(`packages/${used}/dist is missing or older than its sources. Run \`npm run build\` first.`);
  }
  const [file = ""] = name.split(" ");
  const folder = resolve(PACKAGES, isPeer(file) ? "bench/peers" : "bench/src/servers");
  // The place decides which packages the server finds.
  const isBundled = name.includes(BUNDLED);
  const to = resolve(PACKAGES, isPeer(file) ? "bench/peers/dist" : "bench/dist");
  const outfile = resolve(to, `${file}${isBundled ? ".bundled" : ""}.js`);
  await build({
    entryPoints: [resolve(folder, `${file}.ts`)],
    outfile,
    bundle: true,
    packages: isBundled ? "bundle" : "external",
    banner: isBundled ? { js: REQUIRE } : {},
    platform: "node",
    format: "esm",
    target: "node22",
    logLevel: "error",
  });
  return outfile;
}
