import { gzipSync } from "node:zlib";
import { build, type BuildOptions } from "esbuild";
import { expect, test } from "vitest";

/** Minified and compressed. The GraphQL lens also writes documents and reads connections. */
const MAX_BYTES = { restLens: 6_272, graphqlLens: 7_936 };

/** Bundles what an application imports, as for production. */
async function bundle(
  source: string,
): Promise<{ readonly text: string; readonly bytes: number; readonly inputs: readonly string[] }> {
  const options: BuildOptions = {
    stdin: { contents: source, resolveDir: import.meta.dirname, loader: "ts" },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    platform: "browser",
    metafile: true,
    conditions: ["@bifocal/source"],
    logLevel: "silent",
  };
  const { outputFiles = [], metafile } = await build(options);
  const text = outputFiles[0]?.text ?? "";
  return { text, bytes: gzipSync(text, { level: 9 }).length, inputs: Object.keys(metafile?.inputs ?? {}) };
}

const application = (lens: string): string =>
  `import { createClient, ${lens} } from "@bifocal/client"; console.log(createClient({ url: "/api", lens: ${lens}() }));`;

test.each(Object.entries(MAX_BYTES))("the client with %s has at most %i bytes", async (lens, most) => {
  const { bytes, inputs } = await bundle(application(lens));
  expect(bytes).toBeLessThanOrEqual(most);
  expect(inputs.filter((path) => path !== "<stdin>" && !path.includes("client/src/"))).toEqual([]);
});

test("a bundle doesn't contain the other lens", async () => {
  const { inputs: rest } = await bundle(application("restLens"));
  expect((await bundle(application("restLens"))).text).not.toContain("pageInfo");
  expect(rest.length).toBeGreaterThan(5);
  expect((await bundle(application("graphqlLens"))).text).not.toContain("If-Match");
});

test("an unused import adds nothing", async () => {
  const { text } = await bundle('import "@bifocal/client"; console.log(1);');
  expect(text.trim()).toBe("console.log(1);");
});
