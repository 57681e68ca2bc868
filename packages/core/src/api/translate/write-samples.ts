import type { CodeSample, WriteSamples } from "../../rest/openapi/openapi-types.ts";
import { curlCommand } from "./curl-command.ts";
import type { GraphqlForm, PrintOperation } from "./translation.ts";

/** Creates the function that writes an operation in each style that can express it. */
export function createWriteSamples(print: PrintOperation): WriteSamples {
  return (operation, { base, credentials, isQuery }) => {
    const { rest, graphql, client } = print(operation, { isQuery });
    const samples: CodeSample[] = [];
    if (!("reason" in rest)) {
      const source = curlCommand(rest, base, { credentials, separator: " \\\n  " });
      samples.push({ lang: "Shell", label: "curl", source });
    }
    if (!("reason" in graphql)) samples.push({ lang: "GraphQL", label: "GraphQL", source: graphqlSource(graphql) });
    if (!("reason" in client))
      samples.push({ lang: "TypeScript", label: "TypeScript", source: `await ${client.code};` });
    return samples;
  };
}

/** A sample is one text, so the variables follow the document as comments. */
function graphqlSource({ document, variables }: GraphqlForm): string {
  if (Object.keys(variables).length === 0) return document;
  return `${document}\n\n# Variables\n${readableJson(variables).replaceAll(/^/gm, "# ")}`;
}

const MAX_LINE = 110;

function readableJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  const line = text.replaceAll(/\n */g, " ");
  return line.length <= MAX_LINE ? line : text;
}
