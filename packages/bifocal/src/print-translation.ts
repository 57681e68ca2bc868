import type { Writable } from "node:stream";
import type { GraphqlForm, NotExpressible, RestForm, Translation } from "@bifocal/core";
import { paint } from "./io.ts";

/**
 * Prints an operation in each style, or the reason why a style doesn't have it. The headings have the colors of the
 * styles on the pages if the stream is a terminal.
 */
export function printTranslation(stream: Writable, { rest, graphql, client }: Omit<Translation, "operation">): string {
  return [
    `${paint(stream, "cyan", "REST")}\n${isForm(rest) ? restText(rest) : missing(rest)}`,
    `${paint(stream, "magenta", "GraphQL")}\n${isForm(graphql) ? graphqlText(graphql) : missing(graphql)}`,
    `TypeScript\n${isForm(client) ? client.code : missing(client)}`,
  ].join("\n\n");
}

function isForm<Form extends object>(form: Form | NotExpressible): form is Form {
  return !("reason" in form);
}

function missing({ reason }: NotExpressible): string {
  return `not available: ${reason}`;
}

function restText({ method, url, headers, body }: RestForm): string {
  const lines = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  return body === undefined ? lines.join("\n") : `${lines.join("\n")}\n\n${JSON.stringify(body, null, 2)}`;
}

function graphqlText({ document, variables }: GraphqlForm): string {
  return Object.keys(variables).length === 0 ? document : `${document}\n\n${JSON.stringify(variables, null, 2)}`;
}
