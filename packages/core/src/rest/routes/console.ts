import { BifocalError } from "../../errors/bifocal-error.ts";
import type { HttpRequest, HttpResponse, WebPage } from "../../message/message.ts";
import { offeredSortPaths } from "../../lowering/lower-sort.ts";
import type { Model } from "../../model/model.ts";
import { offeredRelations } from "../../model/offered.ts";
import type { Caller } from "../../operation/run.ts";
import type { WireType } from "../../model/wire-type.ts";
import type { JsonObject } from "../../util/json.ts";
import type { SecuritySchemes } from "../openapi/openapi-types.ts";
import { JSON_UTF8, NOSNIFF } from "../response/headers.ts";
import { signInHeaders } from "./sign-in-headers.ts";

/** The page at `/console`, on which developers try requests in each style, for example that of `@bifocal/console`. */
export type ConsolePage = WebPage<ConsoleView>;

export interface ConsoleView {
  readonly title: string;
  /** The mount path of the API: `/api`, or empty. */
  readonly prefix: string;
  /** The URL of the page's files, without a trailing slash. */
  readonly assets: string;
  /** The headers that can contain a credential, such as `X-API-Key` or `Authorization: Bearer`. */
  readonly credentialHeaders: readonly string[];
  /** Whether `POST /-/translate` returns the access rules that decide and the SQL statements of reads. */
  readonly explains: boolean;
}

interface ConsoleOptions {
  readonly console: ConsolePage | undefined;
  readonly model: Model;
  /** Undefined if the API doesn't explain requests. */
  readonly explainPath: string | undefined;
  readonly info: { readonly title: string };
  readonly schemes: SecuritySchemes;
}

const PAGE = "/console";
const MODEL = "/console/model";
const PATHS: readonly string[] = [PAGE, MODEL];
const METHODS = ["GET", "HEAD", "OPTIONS"] as const;

/** Creates the routes of the console: its page, and the names that it completes. */
export function createConsole(options: ConsoleOptions) {
  const { console: page, explainPath, model, info, schemes } = options;
  const names = page === undefined ? {} : describeNames(model);

  return {
    paths: page === undefined ? [] : PATHS,
    methodsAt: (path: string): readonly string[] => (page === undefined || !PATHS.includes(path) ? [] : METHODS),
    serve(request: HttpRequest, { principal }: Caller): HttpResponse | undefined {
      const { path, method, prefix } = request;
      if (page === undefined || !PATHS.includes(path)) return undefined;
      const headers = { Allow: METHODS.join(", "), "Cache-Control": "no-store" };
      if (method === "OPTIONS") return { status: 204, headers, body: null };
      if (method !== "GET" && method !== "HEAD") {
        throw new BifocalError("METHOD_NOT_ALLOWED", `${method} is not supported here.`, { headers });
      }
      if (path === MODEL) {
        const own = { "Content-Type": JSON_UTF8, "Cache-Control": "no-store", ...NOSNIFF };
        const caller = principal === null ? null : { id: principal.id };
        return { status: 200, headers: own, body: JSON.stringify({ ...names, principal: caller }) };
      }
      const type = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-cache" };
      const body = page.page({
        title: info.title,
        prefix,
        assets: `${prefix}/-`,
        credentialHeaders: signInHeaders(schemes),
        explains: explainPath !== undefined,
      });
      return { status: 200, headers: { ...type, ...NOSNIFF, ...page.headers }, body };
    },
  };
}

/** The names that requests can contain. OpenAPI contains them too. */
function describeNames(model: Model): JsonObject {
  const resources = [...model.resources.values()].filter(({ historyOf }) => historyOf === undefined);
  return {
    resources: resources.map((resource) => ({
      name: resource.name,
      path: `/${resource.path}`,
      isListed: resource.operations.rest.list,
      isSearchable: resource.search.length > 0,
      page: { size: resource.page.size, max: resource.page.max },
      fields: resource.visibleFields.map(({ name, filterable, operators, type }) => ({
        name,
        operators: filterable ? [...operators] : [],
        values: valuesOf(type),
      })),
      sorts: offeredSortPaths(model, resource).map((path) => path.join(".")),
      relations: offeredRelations(model, resource).map(({ name, target, many }) => ({ name, target, many })),
    })),
  };
}

/** Returns the values of a type that has only a few. */
function valuesOf(type: WireType): readonly string[] {
  if (type.kind === "enum") return type.values.map(String);
  return type.kind === "boolean" ? ["true", "false"] : [];
}
