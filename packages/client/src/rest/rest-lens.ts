import { BifocalError } from "../client-error.ts";
import type { Call, Lens, Operation, Result, Row } from "../lens.ts";
import { setEntries } from "../map-values.ts";
import { isPlainObject } from "../plain-object.ts";
import { errorOf, type Reply, type Request, type Transport } from "../transport.ts";
import { quoteVersion } from "../versions.ts";
import { readPage, readTotal } from "./page-info.ts";
import { writeQuery } from "./query-string.ts";
import { refuseLeftOut } from "./refuse-left-out.ts";
import { requireSearch } from "./require-search.ts";
import { groupsQuery, listQuery, selectQuery } from "./select-query.ts";
import { watchSearch } from "./watch-search.ts";

/** Others are reads. */
const METHODS: Readonly<Partial<Record<Operation, string>>> = {
  create: "POST",
  createMany: "POST",
  act: "POST",
  replace: "PUT",
  link: "PUT",
  update: "PATCH",
  updateMany: "PATCH",
  delete: "DELETE",
  deleteMany: "DELETE",
  unlink: "DELETE",
};
/** The operations that these are a part of. */
const NEEDED: Readonly<Partial<Record<Operation, Operation>>> = { aggregate: "list", history: "get" };
/** Operations whose result is a page. */
const PAGES = /^(?:list|aggregate|history|query)$/;
/** Longer queries are sent in the body of `QUERY`, because some servers limit URLs. */
const MAX_QUERY_LENGTH = 4_000;

/** Sends calls as REST requests. */
export function restLens(): Lens<"rest"> {
  return {
    style: "rest",
    watchPart: async () => ({ watchSearch }),
    run: async (call, { send }: Transport) => {
      const { operation, resource, own } = call;
      if (!own || (operation === "query" && !("rest" in own))) refuseLeftOut(resource, NEEDED[operation] ?? operation);
      const read = (reply: Reply): Result => {
        if (reply.status >= 400) throw errorOf(reply, reply.body);
        return resultOf(call, reply);
      };
      const request = requestOf(call);
      return send(request, (reply) =>
        request.method === "QUERY" && isUnknownMethod(reply) ? send(requestOf(call, reply), read) : read(reply),
      );
    },
  };
}

/** Whether something in front of the API doesn't know the method `QUERY`. Errors of the API have a code. */
function isUnknownMethod({ status, body }: Reply): boolean {
  return (
    (status === 400 || status === 405 || status === 501) && !(body as { readonly code?: string } | undefined)?.code
  );
}

/** @param refused - the response to the same call with `QUERY`, if the host doesn't know this method */
function requestOf(call: Call, refused?: Reply): Request {
  const { operation, resource, input, versions, options } = call;
  const { signal } = options;
  const method = METHODS[operation] ?? "GET";
  const isList = PAGES.test(operation);
  const query = queryOf(call);
  const path = pathOf(call);
  const search = writeQuery(query);
  const isLong = (search?.length ?? MAX_QUERY_LENGTH) >= MAX_QUERY_LENGTH;
  const patch = operation === "update" ? patchOf(resource.fields, input) : undefined;
  const isBody = isList && isLong && !refused;
  if (refused && search === undefined) {
    const message = "The host rejects the method QUERY, and a URL can't express this call. Use graphqlLens().";
    throw new BifocalError("METHOD_NOT_ALLOWED", message, { status: refused.status });
  }
  return {
    method: isBody ? "QUERY" : method,
    cache: options.live ? "no-cache" : undefined,
    path: isBody ? path : path + requireSearch(search),
    headers: {
      Accept: "application/json",
      ...(isList ? { Prefer: "page-info" } : {}),
      ...(versions && { "If-Match": versions.map(quoteVersion).join(", ") }),
      ...(patch && { "Content-Type": "application/json-patch+json" }),
    },
    body: isBody ? query : (patch ?? (operation === "query" ? undefined : input)),
    signal,
    isWrite: method !== "GET",
  };
}

/**
 * A merge patch would merge into objects, but an update replaces them. Returns a JSON Patch if the input contains any
 * object.
 */
function patchOf(fields: Call["resource"]["fields"], input: unknown): readonly object[] | undefined {
  if (!isPlainObject(input)) return undefined;
  const entries = setEntries(input);
  if (!entries.some(([name, value]) => fields[name] !== undefined && isPlainObject(value))) return undefined;
  return entries.map(([name, value]) => ({ op: "add", path: `/${name}`, value }));
}

function pathOf({ operation, resource, id, member = "", target, own }: Call): string {
  const base = id === undefined ? resource.path : `${resource.path}/${id}`;
  if (own) return `${base}/${own.path}`;
  if (operation === "history") return `${base}/${operation}`;
  return target === undefined ? base : `${base}/${resource.relations[member]?.path ?? member}/${target}`;
}

function queryOf({ operation, description, resource, options, input }: Call): Readonly<Record<string, unknown>> {
  const { count, deleted } = options;
  if (operation === "aggregate") return groupsQuery(options);
  if (operation === "updateMany" || operation === "deleteMany") return listQuery(options);
  const selected = selectQuery(description, resource, options.select);
  if (!PAGES.test(operation)) return { ...selected, deleted };
  const parameters = operation === "query" ? (input as Row | undefined) : undefined;
  return { ...parameters, ...listQuery(options), ...selected, count: count === false ? undefined : count, deleted };
}

function resultOf({ operation, own }: Call, { headers, body }: Reply): Result {
  if (own?.returns === "value") return { value: body };
  if (PAGES.test(operation)) return { page: { ...readPage(headers, body as readonly Row[]), ...readTotal(headers) } };
  if (operation === "createMany") return { rows: body as readonly (Row | null)[] };
  if (operation === "updateMany" || operation === "deleteMany") return body as Result;
  const tag = /^(?:W\/)?"(.*)"$/.exec(headers.get("ETag") ?? "")?.[1];
  return { row: (body as Row | undefined) ?? null, version: tag };
}
