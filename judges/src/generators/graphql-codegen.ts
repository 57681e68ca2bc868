import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../judge.ts";
import { generatedClientJudge } from "./generated-client.ts";
import { graphqlProgram } from "./graphql-program.ts";

const CONFIG = {
  schema: "schema.graphql",
  documents: ["use.ts"],
  generates: {
    "./client/": {
      preset: "client",
      presetConfig: { fragmentMasking: false },
      config: { enumsAsTypes: true, defaultScalarType: "unknown" },
    },
  },
};

const HEAD = `
import type { TypedDocumentNode } from "@graphql-typed-document-node/core";
import { graphql } from "./client/index";`;

export const graphqlCodegen = generatedClientJudge({
  name: "graphql-codegen",
  generate(folder) {
    writeFileSync(join(folder, "codegen.json"), JSON.stringify(CONFIG));
    runCommand("graphql-codegen", ["--config", "codegen.json"], folder);
  },
  program: graphqlProgram(HEAD, "TypedDocumentNode"),
});
