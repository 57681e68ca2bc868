import { credentialHeaders } from "../role.ts";
import type { LensOperation } from "./server.ts";

/** Prints a command for each style. The keys of the demonstration are public, so the commands contain them. */
export function curlCommands({ rest, graphql }: LensOperation): string {
  const commands = [
    ...("url" in rest ? [command(`/api${rest.url}`, rest.method, rest.body)] : []),
    ...("document" in graphql
      ? [command("/api/graphql", "POST", { query: graphql.document.replaceAll(/\s+/g, " ") })]
      : []),
  ];
  return commands.join("\n\n");
}

function command(path: string, method: string, body: unknown): string {
  const headers = Object.entries(credentialHeaders()).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  return [
    `curl -g ${quote(location.origin + path)}`,
    ...(method === "GET" || method === "POST" ? [] : [`-X ${method}`]),
    ...headers,
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(body))}`]),
  ].join(" ");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
