import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import { CHECK_OPTIONS, clientText, RESOURCES, serverText } from "./generated-app.ts";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
/** Instantiations for each resource. They take 0.7 µs each, so 2 s is exceeded with 29,000. */
const MOST = 18_000;

/** Returns the work and the CPU time of checking the files, and the mistakes in them. */
function check(texts: Readonly<Record<string, string>>): {
  /** Number of types that generic ones were instantiated to, which is the same in each run. */
  readonly instantiations: number;
  readonly seconds: number;
  readonly mistakes: readonly string[];
} {
  const files = new Map(Object.entries(texts).map(([name, text]) => [FOLDER + name, text]));
  const disk = ts.createCompilerHost(CHECK_OPTIONS);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (name) => files.has(name) || disk.fileExists(name),
    readFile: (name) => files.get(name) ?? disk.readFile(name),
    getSourceFile: (name, ...others) => {
      const text = files.get(name);
      return text === undefined
        ? disk.getSourceFile(name, ...others)
        : ts.createSourceFile(name, text, ts.ScriptTarget.ES2023);
    },
  };
  const before = process.cpuUsage();
  const program = ts.createProgram([...files.keys()], CHECK_OPTIONS, host);
  const mistakes = [...files.keys()].flatMap((name) =>
    program
      .getSemanticDiagnostics(program.getSourceFile(name))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " ")),
  );
  const { user, system } = process.cpuUsage(before);
  return { instantiations: program.getInstantiationCount(), seconds: (user + system) / 1e6, mistakes };
}

// The server takes 4.4 s of CPU time, and the client 0.9 s more. The goal is less than 2 s more.
test("checking a client for 100 resources instantiates few types", { timeout: 120_000 }, () => {
  const server = { "cost-server.ts": serverText() };
  const alone = check(server);
  const both = check({ ...server, "cost-client.ts": clientText() });
  expect([alone.mistakes, both.mistakes]).toEqual([[], []]);
  if (process.env["PRINT_COST"] !== undefined) process.stdout.write(`${JSON.stringify([alone, both])}\n`);
  expect(both.instantiations - alone.instantiations).toBeLessThan(MOST * RESOURCES);
});
