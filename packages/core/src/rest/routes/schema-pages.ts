import { BifocalError } from "../../errors/bifocal-error.ts";
import type { HttpRequest, HttpResponse } from "../../message/message.ts";
import type { Model } from "../../model/model.ts";
import type { Caller } from "../../operation/run.ts";
import type { ApiView, Format, IndexView } from "../formats/format.ts";
import type { PrintRequest } from "../request/print-request.ts";
import { hashTag, isNotModified, NOSNIFF, PRIVATE } from "../response/headers.ts";
import { describeSchema } from "../schema/describe-schema.ts";
import type { GraphqlDescription, GraphqlSignature } from "../schema/graphql-names.ts";
import type { SchemaResource } from "../schema/schema-resource.ts";
import type { ReadAccess } from "../schema/shown-access.ts";
import type { OperationsOf } from "./endpoint.ts";
import { SCHEMA_PATH } from "./schema-path.ts";
import type { ResourceEndpoints } from "./endpoints.ts";

export interface SchemaPages {
  readonly describeGraphql: () => GraphqlDescription;
  /** Undefined if `explain` is off. */
  readonly readAccess: ReadAccess | undefined;
}

interface SchemaPagesOptions {
  /** Undefined if the API doesn't show its schema. */
  readonly schema: SchemaPages | undefined;
  readonly api: ApiView;
  readonly model: Model;
  readonly formats: readonly Format[];
  readonly byPath: ReadonlyMap<string, ResourceEndpoints>;
  readonly operationsOf: OperationsOf;
  readonly printRequest: PrintRequest;
  /** Names of the headers that identify the caller. */
  readonly credentials: readonly string[];
}

interface Described {
  readonly resources: ReadonlyMap<string, SchemaResource>;
  readonly others: readonly GraphqlSignature[];
}

const METHODS = ["GET", "HEAD", "OPTIONS"] as const;

/** Creates the pages of the schema: `/-/schema`, and one for each resource, such as `/-/schema/books`. */
export function createSchemaPages(options: SchemaPagesOptions) {
  const { schema, api, model, formats, printRequest, credentials } = options;
  const format = formats.find((one) => one.schema !== undefined);
  const isServed = schema !== undefined && format !== undefined;
  let kept: Described | undefined;
  /** Describes the schema when the first page needs it, because most processes never show it. */
  const describe = (): Described => (kept ??= schema === undefined ? NOTHING : describePages(options, schema));
  const vary = credentials.length === 0 ? {} : { Vary: credentials.join(", ") };

  async function respond(request: HttpRequest, { principal }: Caller): Promise<HttpResponse> {
    const { path, prefix } = request;
    const described = describe();
    const resource = described.resources.get(path);
    const requestTextsOf: IndexView["requestTextsOf"] = async (url, query) =>
      printRequest({ method: "GET", path: url, query, prefix, headers: {} });
    const wanted = resource === undefined ? { kinds: ["rows"] as const } : { resource: resource.resource.name };
    const body = await format?.schema?.({
      api,
      model,
      prefix,
      principal: () => principal,
      requestTextsOf,
      resources: [...described.resources.values()],
      resource,
      others: described.others,
      access: await schema?.readAccess?.(principal, wanted),
    });
    const text = body ?? "";
    const headers = { "Cache-Control": PRIVATE, ETag: hashTag(text), ...vary, ...NOSNIFF };
    if (isNotModified(request, headers.ETag)) return { status: 304, headers, body: null };
    const contentType = format?.contentType ?? "text/html; charset=utf-8";
    return { status: 200, headers: { "Content-Type": contentType, ...headers, ...format?.pageHeaders }, body: text };
  }

  function hasPage(path: string): boolean {
    if (!isServed || !path.startsWith(SCHEMA_PATH)) return false;
    return path === SCHEMA_PATH || describe().resources.has(path);
  }

  return {
    paths: isServed ? [SCHEMA_PATH, `${SCHEMA_PATH}/{resource}`] : [],
    methodsAt: (path: string): readonly string[] => (hasPage(path) ? METHODS : []),
    serve(request: HttpRequest, caller: Caller): Promise<HttpResponse> | HttpResponse | undefined {
      const { path, method } = request;
      if (!hasPage(path)) return undefined;
      const headers = { Allow: METHODS.join(", "), "Cache-Control": "no-store" };
      if (method === "OPTIONS") return { status: 204, headers, body: null };
      if (method !== "GET" && method !== "HEAD") {
        throw new BifocalError("METHOD_NOT_ALLOWED", `${method} is not supported here.`, { headers });
      }
      return respond(request, caller);
    },
  };
}

const NOTHING: Described = { resources: new Map(), others: [] };

function describePages(options: SchemaPagesOptions, { describeGraphql }: SchemaPages): Described {
  const graphql = describeGraphql();
  const resources = describeSchema({ ...options, graphql });
  return {
    resources: new Map(resources.map((one) => [`${SCHEMA_PATH}/${one.resource.path}`, one])),
    others: graphql.others,
  };
}
