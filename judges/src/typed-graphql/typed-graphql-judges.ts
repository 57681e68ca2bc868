import { mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type LoneJudge, runCommand } from "../judge.ts";
import { startProgram } from "../start-program.ts";
import { DOCUMENTS, ERROR_HANDLING_CLIENT, PLAIN_CLIENT } from "./programs.ts";

type Tool = keyof typeof DOCUMENTS;

interface Client {
  readonly program: string;
  /** Whether its fields throw instead of being null because of an error. */
  readonly handlesErrors: boolean;
  readonly option: "nonNullConnections" | "";
}

const CLIENTS: Readonly<Record<string, Client>> = {
  "clients that handle errors need no ?. for marked fields": {
    program: ERROR_HANDLING_CLIENT,
    handlesErrors: true,
    option: "",
  },
  "no client needs ?. for connections with nonNullConnections": {
    program: PLAIN_CLIENT,
    handlesErrors: false,
    option: "nonNullConnections",
  },
};

/** Makes the types of the document from `schema.graphql`, as the documentation of each tool describes. */
const GENERATE: Readonly<Record<Tool, (folder: string, handlesErrors: boolean) => void>> = {
  "graphql-codegen"(folder, handlesErrors) {
    const config = {
      nullability: { errorHandlingClient: handlesErrors },
      importExtension: ".ts",
      useTypeImports: true,
    };
    const generated = { preset: "client", presetConfig: { fragmentMasking: false }, config };
    const options = { schema: "schema.graphql", documents: "document.ts", generates: { "./gen/": generated } };
    writeFileSync(join(folder, "codegen.json"), JSON.stringify(options));
    runCommand("graphql-codegen", ["--config", "codegen.json"], folder);
  },
  "gql.tada"(folder, handlesErrors) {
    const command = handlesErrors ? "semantic-to-strict" : "semantic-to-nullable";
    runCommand(command, ["-i", "schema.graphql", "-o", "typed.graphql"], folder);
    runCommand("gql.tada", ["generate-output"], folder);
  },
};

function writeProject(folder: string, tool: Tool, program: string): void {
  symlinkSync(fileURLToPath(new URL("../../node_modules", import.meta.url)), join(folder, "node_modules"));
  const compilerOptions = {
    target: "es2022",
    module: "nodenext",
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    lib: ["es2022", "dom"],
    types: ["node"],
    plugins: [{ name: "gql.tada/ts-plugin", schema: "./typed.graphql", tadaOutputLocation: "./graphql-env.d.ts" }],
  };
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["client.ts"] }));
  writeFileSync(join(folder, "document.ts"), DOCUMENTS[tool]);
  writeFileSync(join(folder, "client.ts"), program);
}

/** Each client compiles in strict mode and runs. */
export const TYPED_GRAPHQL_JUDGES: readonly LoneJudge[] = (Object.keys(DOCUMENTS) as Tool[]).flatMap((tool) =>
  Object.entries(CLIENTS).map(
    ([name, { program, handlesErrors, option }]): LoneJudge => ({
      name: `${tool}: ${name}`,
      async run() {
        const folder = mkdtempSync(join(tmpdir(), "typed-graphql-"));
        const server = fileURLToPath(new URL("main.ts", import.meta.url));
        const { url, stop } = await startProgram<"url">(server, { args: [join(folder, "schema.graphql"), option] });
        try {
          writeProject(folder, tool, program.replace("URL", url));
          GENERATE[tool](folder, handlesErrors);
          runCommand("tsc", ["-p", "."], folder);
          await import(pathToFileURL(join(folder, "client.ts")).href);
        } finally {
          stop();
        }
      },
    }),
  ),
);
