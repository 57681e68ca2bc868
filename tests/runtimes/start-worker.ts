import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build, type BuildOptions, type Plugin } from "esbuild";
import { end, freePort, type RunningHost, untilUp } from "./running-host.ts";

const WORKERD = resolve(import.meta.dirname, "hosts/node_modules/.bin/workerd");

/** Turns `require("net")` of packages into an import, as `wrangler` does, because workerd's modules have no `require`. */
const BUILTINS: Plugin = {
  name: "builtins",
  setup(building) {
    const filter = new RegExp(`^(?:node:)?(?:${builtinModules.join("|")})$`);
    building.onResolve({ filter }, ({ path, kind }) => {
      const name = path.replace(/^node:/, "");
      if (kind === "require-call") return { path: name, namespace: "builtin" };
      return { path: `node:${name}`, external: true };
    });
    building.onLoad({ filter: /./, namespace: "builtin" }, ({ path }) => ({
      contents: `import builtin from "node:${path}";\nmodule.exports = builtin;`,
    }));
  },
};

/** Serves a Durable Object of the class `Backend`. workerd runs one bundled module, and can't choose a free port. */
export async function startWorker(source: BuildOptions): Promise<RunningHost> {
  const folder = await mkdtemp(join(tmpdir(), "bifocal-workerd-"));
  await build({
    ...source,
    outfile: join(folder, "worker.js"),
    bundle: true,
    format: "esm",
    platform: "node",
    conditions: ["@bifocal/source", "workerd"],
    external: ["cloudflare:*"],
    plugins: [...(source.plugins ?? []), BUILTINS],
    logLevel: "error",
  });
  const port = await freePort();
  await writeFile(
    join(folder, "config.capnp"),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(
    name = "internet",
    network = (allow = ["public", "private", "local"]),
  ), (
    name = "main",
    worker = (
      modules = [(name = "worker", esModule = embed "worker.js")],
      compatibilityDate = "2026-10-01",
      durableObjectNamespaces = [(className = "Backend", uniqueKey = "backend", preventEviction = true)],
      durableObjectStorage = (inMemory = void),
      bindings = [(name = "BACKEND", durableObjectNamespace = "Backend")],
    ),
  )],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);`,
  );
  const child = spawn(WORKERD, ["serve", join(folder, "config.capnp")], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const close = async (): Promise<void> => {
    await end(child);
    await rm(folder, { recursive: true });
  };
  await untilUp(port).catch(async (thrown: unknown) => {
    await close();
    throw thrown;
  });
  return { port, close };
}
