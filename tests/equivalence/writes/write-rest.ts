import { type Outcome, send } from "./outcome.ts";
import type { Shop } from "./shop.ts";
import type { Step } from "./step.ts";

const PATHS = { author: "/authors", book: "/books", note: "/notes", tag: "/tags" } as const;

/** The write as a REST request. */
export function requestOf(step: Step) {
  const { ifMatch, ifNoneMatch, input, key } = step;
  const headers = {
    ...(ifMatch === undefined ? {} : { "if-match": ifMatch === "*" ? "*" : `"${ifMatch}"` }),
    ...(ifNoneMatch === undefined ? {} : { "if-none-match": ifNoneMatch }),
    ...(key === undefined ? {} : { "idempotency-key": `"${key.value}"` }),
  };
  return { ...place(step), headers, body: input };
}

export async function writeRest(shop: Shop, step: Step): Promise<Outcome> {
  const { status, json, isReplayed } = await send(shop, step, requestOf(step));
  if (status >= 400) {
    const { code, detail, errors = [] } = json as { code: string; detail: string; errors?: unknown[] };
    return { code, detail, issues: errors };
  }
  return { data: toData(step, json), isReplayed };
}

function place({ kind, resource, id, tag, filter, search }: Step): { method: string; path: string; query?: string } {
  const all = PATHS[resource];
  const one = `${all}/${id}`;
  const query = queryOf(filter, search);
  switch (kind) {
    case "create":
    case "createMany":
      return { method: "POST", path: all };
    case "replace":
      return { method: "PUT", path: one };
    case "update":
      return { method: "PATCH", path: one };
    case "updateMany":
      return { method: "PATCH", path: all, query };
    case "delete":
      return { method: "DELETE", path: one };
    case "deleteMany":
      return { method: "DELETE", path: all, query };
    case "link":
      return { method: "PUT", path: `${one}/tags/${tag}` };
    case "unlink":
      return { method: "DELETE", path: `${one}/tags/${tag}` };
    case "publish":
      return { method: "POST", path: `${one}/publish` };
    case "raise":
      return { method: "POST", path: `${all}/raise` };
  }
}

function queryOf(filter: Step["filter"] = {}, search: string | undefined): string {
  const all = Object.entries(filter).flatMap(([field, condition]) =>
    Object.entries(condition).flatMap(([operator, value]) =>
      [value].flat().map((one) => `filter[${field}][${operator}]=${String(one)}`),
    ),
  );
  return [...all, ...(search === undefined ? [] : [`q=${search}`])].join("&");
}

function toData({ kind }: Step, json: unknown): unknown {
  if (kind === "link" || kind === "unlink") return "done";
  if (kind === "updateMany") {
    const { updated, ids } = json as { updated: number; ids: unknown[] };
    return { count: updated, ids };
  }
  if (kind === "deleteMany") {
    const { deleted, ids } = json as { deleted: number; ids: unknown[] };
    return { count: deleted, ids };
  }
  return json;
}
