import { build } from "esbuild";
import type { Scenario } from "./scenario.ts";

/** Bundles a module that runs the scenario as a browser, Bun, Deno or workerd would load it. */
export async function bundleScenario(source: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { runScenario } from "./scenario.ts";\n${source}`,
      resolveDir: import.meta.dirname,
      loader: "ts",
    },
    bundle: true,
    format: "esm",
    target: "es2022",
    platform: "browser",
    conditions: ["@bifocal/source"],
    write: false,
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}

/** Prints the results of a scenario. */
export function printingModule(scenario: Scenario): string {
  return `console.log(JSON.stringify(await runScenario(${JSON.stringify(scenario)})));`;
}

/** Responds with the results of a scenario. */
export function respondingWorker(scenario: Scenario): string {
  return `export default { fetch: async () => Response.json(await runScenario(${JSON.stringify(scenario)})) };`;
}
