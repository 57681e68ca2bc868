import { send as sendRequest } from "../writes/outcome.ts";
import type { Step } from "./step.ts";
import type { World, WorldApi } from "./world.ts";

/** The result of a step, in the terms of both styles. */
export interface Result {
  readonly code?: string;
  readonly detail?: string;
  readonly issues?: readonly unknown[];
  readonly data?: unknown;
}

/** The last ids before a sequence, so that rows of earlier sequences don't matter. */
export interface Base {
  readonly author: number;
  readonly book: number;
}

const send = sendRequest as unknown as (
  api: WorldApi,
  step: Step,
  parts: { readonly method: string; readonly path: string; readonly query?: string; readonly body?: unknown },
) => Promise<{ readonly status: number; readonly json: unknown }>;

const inputOf = ({ resource, text, author, kind }: Step, base: Base): object => {
  const name = text === "" ? "" : `${base.book} ${text}`;
  if (resource === "author") return { name };
  const authorId = author === null ? null : base.author + author;
  return kind === "updateMany" ? { authorId } : { title: name, authorId };
};

export async function sendRest(api: WorldApi, world: World, base: Base, step: Step): Promise<Result> {
  const { resource, kind, deleted } = step;
  const all = `/${resource}s`;
  const one = `${all}/${base[resource] + step.id}`;
  const own = `filter[id][gt]=${base[resource]}`;
  const { history } = world[resource];
  const shown = [
    ...(history ? ["include=history", "rel[history][page][size]=50"] : []),
    ...(deleted === undefined ? [] : [`deleted=${deleted}`]),
  ];
  const body = inputOf(step, base);
  const requests = {
    create: { method: "POST", path: all, body },
    update: { method: "PATCH", path: one, body },
    delete: { method: "DELETE", path: one },
    restore: { method: "POST", path: `${one}/restore` },
    shout: { method: "POST", path: `${one}/shout` },
    updateMany: { method: "PATCH", path: all, query: own, body },
    deleteMany: { method: "DELETE", path: all, query: `${own}&filter[id][lte]=${base[resource] + step.id}` },
    get: { method: "GET", path: one, query: shown.filter((part) => part !== "deleted=only").join("&") },
    list: { method: "GET", path: all, query: [own, "page[size]=50", ...shown].join("&") },
  } as const;
  const { status, json } = await send(api, step, requests[kind]);
  if (status >= 400) {
    const { code, detail, errors = [] } = json as { code: string; detail: string; errors?: unknown[] };
    return { code, detail, issues: errors };
  }
  const { updated, deleted: gone, ids } = (json ?? {}) as { updated?: number; deleted?: number; ids?: unknown };
  if (ids !== undefined) return { data: { count: updated ?? gone, ids } };
  return { data: [json].flat().map((row) => comparable(row as object)) };
}

export async function sendGraphql(api: WorldApi, world: World, base: Base, step: Step): Promise<Result> {
  const { resource, kind, deleted } = step;
  const type = resource === "author" ? "Author" : "Book";
  const { softDelete, history, stamped } = world[resource];
  const row = `id ${resource === "author" ? "name" : "title authorId"}${softDelete ? " deletedAt" : ""}${stamped ? " createdBy updatedBy" : ""}`;
  const entries = history ? " history(first: 50) { nodes { by operation action changes { field from to } } }" : "";
  const id = `id: "${base[resource] + step.id}"`;
  const own = `filter: { id: { gt: ${base[resource]} } }`;
  const few = `filter: { id: { gt: ${base[resource]}, lte: ${base[resource] + step.id} } }`;
  const state = deleted === undefined ? "" : `, deleted: ${deleted.toUpperCase()}`;
  const input = "input: $input";
  const fields = {
    create: `create${type}(${input}) { ${row} }`,
    update: `update${type}(${id}, ${input}) { ${row} }`,
    delete: `delete${type}(${id}) { deleted id }`,
    restore: `restore${type}(${id}) { ${row} }`,
    shout: `shout${type}(${id}) { ${row} }`,
    updateMany: `update${type}s(${own}, ${input}) { count ids }`,
    deleteMany: `delete${type}s(${few}) { count ids }`,
    get: `${resource}(${id}${deleted === "only" ? "" : state}) { ${row}${entries} }`,
    list: `${resource}s(${own}, first: 50${state}) { nodes { ${row}${entries} } }`,
  };
  const isRead = kind === "get" || kind === "list";
  const head = kind === "create" ? `($input: Create${type}Input!)` : `($input: Update${type}Input!)`;
  const takesInput = fields[kind].includes("$input");
  const query = `${isRead ? "query" : "mutation"} ${takesInput ? head : ""} { answer: ${fields[kind]} }`;
  const body = { query, variables: takesInput ? { input: inputOf(step, base) } : {} };
  const { json } = await send(api, step, { method: "POST", path: "/graphql", body });
  const { data, errors = [] } = json as {
    readonly data?: { readonly answer: unknown };
    readonly errors?: readonly { message: string; extensions?: { code?: string; errors?: readonly unknown[] } }[];
  };
  const [failed] = errors;
  if (failed !== undefined) {
    const { code = "none", errors: issues = [] } = failed.extensions ?? {};
    return { code, detail: failed.message, issues };
  }
  const answer = data?.answer ?? null;
  // A missing row is null in GraphQL, and an error in REST.
  if (answer === null) return { code: "NOT_FOUND" };
  const { nodes, count, ids } = answer as { nodes?: readonly object[]; count?: number; ids?: readonly string[] };
  if (ids !== undefined) return { data: { count, ids: ids.map(Number) } };
  return { data: (nodes ?? [answer]).map(comparable) };
}

/** Converts a row to a form that both styles have. Entries have random ids, and times that differ. */
function comparable(row: object): object {
  const { history, ...own } = row as Readonly<Record<string, unknown>>;
  const numbers = ["id", "authorId"].flatMap((name) =>
    own[name] === undefined || own[name] === null ? [] : [[name, Number(own[name])] as const],
  );
  const all = Array.isArray(history) ? history : (history as { nodes?: readonly object[] } | undefined)?.nodes;
  const entries = all?.map(({ by, operation, action, changes }) => ({ by, operation, action, changes }));
  return { ...own, ...Object.fromEntries(numbers), ...(entries === undefined ? {} : { history: entries }) };
}

/** Replaces times, which differ between two runs of the same writes. */
export function withoutTimes<T>(value: T): T {
  return JSON.parse(JSON.stringify(value ?? null).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "a time")) as T;
}
