import { runCommand } from "../judge.ts";
import { generatedClientJudge } from "./generated-client.ts";
import { graphqlProgram } from "./graphql-program.ts";

const HEAD = `
import { initGraphQLTada, type TadaDocumentNode } from "gql.tada";
import type { introspection } from "./client/introspection";

const graphql = initGraphQLTada<{ introspection: introspection }>();`;

export const gqlTada = generatedClientJudge({
  name: "gql.tada",
  generate: (folder) => void runCommand("gql-tada", ["generate-output", "--disable-preprocessing"], folder),
  program: graphqlProgram(HEAD, "TadaDocumentNode"),
});
