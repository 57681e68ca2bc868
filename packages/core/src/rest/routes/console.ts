import { BifocalError } from "../../errors/bifocal-error.ts";
import type { Limits } from "../../limits/limits.ts";
import type { HttpRequest, HttpResponse, WebPage } from "../../message/message.ts";
import { BodyMistake, bodyWithin, parseJsonBody } from "../../message/json-body.ts";
import type { Model } from "../../model/model.ts";
import type { Caller } from "../../operation/run.ts";
import type { JsonObject } from "../../util/json.ts";
import { JSON_UTF8, NOSNIFF } from "../response/headers.ts";

/** The page at `/console`, on which developers try requests in each style, for example that of `@bifocal/console`. */
export type ConsolePage = WebPage<ConsoleView>;

export interface ConsoleView {
  readonly title: string;
  /** The mount path of the API: `/api`, or empty. */
  readonly prefix: string;
  /** The URL of the page's files, without a trailing slash. */
  readonly assets: string;
}

/** Translates a request for the console: each of its operations in each style, with its cost. */
export type TranslateForConsole = (source: unknown, caller: Caller) => Promise<readonly JsonObject[]>;

interface ConsoleOptions {
  readonly console: ConsolePage | undefined;
  readonly translateForConsole: TranslateForConsole;
  readonly model: Model;
  readonly limits: Limits;
  readonly info: { readonly title: string };
}

const PAGE = "/console";
const MODEL = "/console/model";
const TRANSLATE = "/console/translate";
const METHODS: Readonly<Record<string, readonly string[]>> = {
  [PAGE]: ["GET", "HEAD", "OPTIONS"],
  [MODEL]: ["GET", "HEAD", "OPTIONS"],
  [TRANSLATE]: ["POST", "OPTIONS"],
};

/** Creates the routes of the console: its page, the names that it completes, and the translation of a request. */
export function createConsole(options: ConsoleOptions) {
  const { console: page, translateForConsole, model, limits, info } = options;
  const names = page === undefined ? "" : JSON.stringify(describeNames(model));

  async function translate(request: HttpRequest, caller: Caller): Promise<HttpResponse> {
    const source = request.parsedBody ?? (await readBody(request, limits));
    return json({ translations: await translateForConsole(source, caller) });
  }

  return {
    paths: page === undefined ? [] : Object.keys(METHODS),
    methodsAt: (path: string): readonly string[] => (page === undefined ? [] : (METHODS[path] ?? [])),
    serve(request: HttpRequest, caller: Caller): Promise<HttpResponse> | HttpResponse | undefined {
      const { path, method, prefix } = request;
      const methods = METHODS[path];
      if (page === undefined || methods === undefined) return undefined;
      const headers = { Allow: methods.join(", "), "Cache-Control": "no-store" };
      if (method === "OPTIONS") return { status: 204, headers, body: null };
      if (!methods.includes(method)) {
        throw new BifocalError("METHOD_NOT_ALLOWED", `${method} is not supported here.`, { headers });
      }
      if (path === TRANSLATE) return translate(request, caller);
      if (path === MODEL) return { ...json({}), body: names };
      const type = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-cache" };
      const body = page.page({ title: info.title, prefix, assets: `${prefix}/-` });
      return { status: 200, headers: { ...type, ...NOSNIFF, ...page.headers }, body };
    },
  };
}

async function readBody(request: HttpRequest, limits: Limits): Promise<unknown> {
  const bytes = await bodyWithin(request, limits.http.bodyBytes);
  try {
    return parseJsonBody(bytes, limits.http.jsonDepth, limits.http.jsonKeys);
  } catch (thrown) {
    throw thrown instanceof BodyMistake ? new BifocalError("BAD_REQUEST", thrown.message) : thrown;
  }
}

function json(value: JsonObject): HttpResponse {
  const headers = { "Content-Type": JSON_UTF8, "Cache-Control": "no-store", ...NOSNIFF };
  return { status: 200, headers, body: JSON.stringify(value) };
}

/** The names that requests can contain. OpenAPI contains them too. */
function describeNames({ resources }: Model): JsonObject {
  const listed = [...resources.values()].filter(({ operations }) => operations.rest.list);
  return {
    resources: listed.map(({ path, plural, visibleFields, relations }) => ({
      path: `/${path}`,
      plural,
      fields: visibleFields.map(({ name, filterable, sortable, operators, type }) => ({
        name,
        operators: filterable ? [...operators] : [],
        sortable,
        values: type.kind === "enum" ? type.values.map(String) : [],
      })),
      relations: [...relations.keys()],
    })),
  };
}
