import { type Operation, printOperation } from "@bifocal/core/operation";
import type { Principal } from "@bifocal/core";
import type { HttpRequest } from "@bifocal/core/adapter";
import { request } from "@bifocal/test-servers/request";
import { asGraphql } from "./as-graphql.ts";
import { asRest } from "./as-rest.ts";
import type { createLibrary } from "./library.ts";
import type { Question, Want } from "./question.ts";

type Library = ReturnType<typeof createLibrary>["api"];

/** The response of one style to a request. */
export interface Answer {
  /** The operations it lowered to, printed. */
  readonly operations: string;
  /** Rows in the shape of the selection, or `null` if the row doesn't exist. */
  readonly data: unknown;
  /** The codes of all errors, sorted, without duplicates. */
  readonly codes: readonly string[];
  /** The path that REST rejected because the caller cannot read it. */
  readonly denied?: string;
}

function headersOf(principal: Principal | null): Readonly<Record<string, string>> {
  return principal === null ? {} : { authorization: `Bearer ${principal.id}` };
}

async function send(api: Library, ask: HttpRequest): Promise<{ operations: string; json: Record<string, unknown> }> {
  const operations: Operation[] = [];
  const stop = api.observe((operation) => operations.push(operation));
  try {
    const response = await api.handle(ask);
    return { operations: operations.map(printOperation).join("\n"), json: JSON.parse(response?.body as string) };
  } finally {
    stop();
  }
}

export async function askRest(api: Library, principal: Principal | null, question: Question): Promise<Answer> {
  const { path, query } = asRest(question);
  const { operations, json } = await send(api, request("GET", `${path}?${query}`, { headers: headersOf(principal) }));
  if (typeof json["code"] === "string") {
    const [issue] = (json["errors"] ?? []) as { code: string; path: string[] }[];
    const denied =
      issue?.code === "not_readable" && issue.path[0] === "fields" ? { denied: String(issue.path[1]) } : {};
    return { operations, data: null, codes: [json["code"]], ...denied };
  }
  return { operations, data: json, codes: [] };
}

export async function askGraphql(api: Library, principal: Principal | null, question: Question): Promise<Answer> {
  const parts = { headers: headersOf(principal), body: { query: asGraphql(question) } };
  const { operations, json } = await send(api, request("POST", "/graphql", parts));
  const errors = (json["errors"] ?? []) as { extensions?: { code?: string } }[];
  const codes = [...new Set(errors.map((error) => error.extensions?.code ?? "none"))].sort();
  const answer = (json["data"] as Record<string, unknown> | null)?.["answer"] ?? null;
  if (answer === null) return { operations, data: null, codes: codes.length === 0 ? ["NOT_FOUND"] : codes };
  const data =
    question.id === undefined
      ? (answer as { nodes: object[] }).nodes.map((node) => flat(node, question.want))
      : flat(answer, question.want);
  return { operations, data, codes };
}

/** Converts connections to plain lists, as in REST. */
function flat(node: unknown, want: Want): unknown {
  if (node === null) return null;
  const row = { ...(node as Record<string, unknown>) };
  // A part of a key is an ID in GraphQL, and a number in REST.
  if (typeof row["slot"] === "string") row["slot"] = Number(row["slot"]);
  for (const relation of want.relations) {
    const value = row[relation.name];
    if (value === null || value === undefined) continue;
    if (relation.counted) row[`${relation.name}@count`] = (value as { totalCount: number }).totalCount;
    row[relation.name] = relation.many
      ? (value as { nodes: unknown[] }).nodes.map((inner) => flat(inner, relation.want))
      : flat(value, relation.want);
  }
  return row;
}

/** The rows at the end of a path of relations, in the response of either style. */
export function rowsBefore(data: unknown, path: string): readonly unknown[] {
  const rows = [data].flat().filter((row) => row !== null);
  const [first = "", ...others] = path.split(".");
  if (others.length === 0) return rows;
  return rowsBefore(
    rows.flatMap((row) => (row as Record<string, unknown>)[first] ?? []),
    others.join("."),
  );
}
