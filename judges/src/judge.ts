import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery, printSchema } from "graphql";
import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A third-party program that checks the bookstore. */
export interface Judge {
  readonly name: string;
  /** Throws an error if the check fails. */
  readonly run: (bookstore: Bookstore) => Promise<void>;
}

/** A judge that starts its own server, so it doesn't depend on the adapter. */
export interface LoneJudge {
  readonly name: string;
  readonly run: () => Promise<void>;
}

export interface Bookstore {
  readonly url: string;
  /**
   * A folder with the OpenAPI documents of the API (`openapi.json`, and `openapi-all.json` for all formats) and its
   * GraphQL schema, `schema.graphql`.
   */
  readonly folder: string;
}

const BIN = fileURLToPath(new URL("../node_modules/.bin/", import.meta.url));

export function bin(name: string): string {
  return BIN + name;
}

/** Runs a command of this package. Throws its output if it fails. */
export function runCommand(name: string, args: readonly string[], cwd: string): string {
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const { status, stdout, stderr } = spawnSync(bin(name), args, { cwd, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`${name} ended with ${status}:\n${stdout}\n${stderr}`);
  return stdout + stderr;
}

export async function documentFolder(url: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "judges-"));
  writeFileSync(join(folder, "openapi.json"), await (await fetch(`${url}/openapi.json`)).text());
  writeFileSync(join(folder, "openapi-all.json"), await (await fetch(`${url}/openapi.json?formats=all`)).text());
  writeFileSync(join(folder, "schema.graphql"), await fetchSchema(url));
  return folder;
}

/** Returns the schema as a client finds it by introspection. */
async function fetchSchema(url: string): Promise<string> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ query: getIntrospectionQuery() });
  const response = await fetch(`${url}/graphql`, { method: "POST", headers, body });
  const { data } = (await response.json()) as { readonly data: IntrospectionQuery };
  return printSchema(buildClientSchema(data));
}
