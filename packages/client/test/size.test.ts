import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";

/** Minified and compressed, without the files that rare calls load. */
const MAX_BYTES = 6_144;

/** Bundles what an application imports, as for production. The bytes are those of the files that it loads at start. */
async function bundle(source: string): Promise<{
  readonly text: string;
  readonly bytes: number;
  readonly inputs: readonly string[];
  readonly late: readonly string[];
}> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: source, resolveDir: import.meta.dirname, loader: "ts" },
    bundle: true,
    splitting: true,
    outdir: "out",
    absWorkingDir: import.meta.dirname,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    platform: "browser",
    metafile: true,
    conditions: ["@bifocal/source"],
    logLevel: "silent",
  });
  const names = new Set(
    Object.keys(metafile.outputs).filter((name) => metafile.outputs[name]?.entryPoint === "<stdin>"),
  );
  // A set also yields the names that are added meanwhile.
  for (const name of names) {
    for (const { path, kind } of metafile.outputs[name]?.imports ?? []) if (kind !== "dynamic-import") names.add(path);
  }
  const texts = [...names].map((name) => outputFiles.find(({ path }) => path.endsWith(name))?.text ?? "");
  const inputsOf = (isAtStart: boolean): string[] =>
    Object.entries(metafile.outputs)
      .filter(([name]) => names.has(name) === isAtStart)
      .flatMap(([, { inputs }]) => Object.keys(inputs));
  return {
    text: texts.join("\n"),
    bytes: texts.reduce((total, text) => total + gzipSync(text, { level: 9 }).length, 0),
    inputs: inputsOf(true),
    late: inputsOf(false),
  };
}

const application = (lens: string): string =>
  `import { createClient, ${lens} } from "@bifocal/client"; console.log(createClient({ url: "/api", lens: ${lens}() }));`;

test.each(["restLens", "graphqlLens"])(`the client with %s has at most ${MAX_BYTES} bytes`, async (lens) => {
  const { bytes, inputs, late } = await bundle(application(lens));
  process.stdout.write(`client with ${lens}: ${bytes} bytes\n`);
  expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  expect([...inputs, ...late].filter((path) => path !== "<stdin>" && !path.includes("src/"))).toEqual([]);
  expect(late.map((path) => path.replace(/.*src\//, ""))).toEqual(
    expect.arrayContaining(["call-member.ts", "decode-group.ts", "event-stream.ts", "read-changes.ts"]),
  );
});

test("a bundle doesn't contain the other lens", async () => {
  const rest = await bundle(application("restLens"));
  expect(rest.text).not.toContain("pageInfo");
  expect(rest.inputs.length).toBeGreaterThan(5);
  expect((await bundle(application("graphqlLens"))).text).not.toContain("If-Match");
});

test("an unused import adds nothing", async () => {
  const { text } = await bundle('import "@bifocal/client"; console.log(1);');
  expect(text.trim()).toBe("console.log(1);");
});

test.each([
  ["restLens", 3_328],
  ["graphqlLens", 2_560],
])("WebSockets add to the client with %s at most %i bytes", async (lens, most) => {
  const source = `import { webSockets } from "@bifocal/client/websocket"; ${application(lens)} console.log(webSockets());`;
  const added = (await bundle(source)).bytes - (await bundle(application(lens))).bytes;
  process.stdout.write(`WebSockets with ${lens}: ${added} bytes\n`);
  expect(added).toBeLessThanOrEqual(most);
});
