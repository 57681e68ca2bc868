import type { Model, ResourceModel } from "../../model/model.ts";
import type { Json, JsonObject } from "../../util/json.ts";
import type { Operation } from "../../operation/operation.ts";
import type { Format } from "../formats/format.ts";

export interface ApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  readonly contact?: { readonly name?: string; readonly url?: string; readonly email?: string };
  readonly license?: { readonly name: string; readonly url?: string; readonly identifier?: string };
  readonly termsOfService?: string;
}

/** OpenAPI security scheme objects by name. */
export type SecuritySchemes = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The version of OpenAPI. `3.2` can describe `QUERY` and streams, but fewer tools support it. */
export type OpenApiVersion = "3.1" | "3.2";

/**
 * Selects the content of the document. `json`: requests and responses in JSON, with whole rows. `all`: every format, `fields`,
 * `Prefer`, creates of several rows, and event streams.
 */
export type OpenApiFormats = "json" | "all";

/** Writes an operation in each style, for `x-codeSamples`. */
export type WriteSamples = (operation: Operation, request: SampleRequest) => readonly CodeSample[];

export interface SampleRequest {
  /** The URL of the API. */
  readonly base: string;
  /** Headers with placeholders for the credential. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Whether the REST request is a `QUERY`. */
  readonly isQuery: boolean;
}

/** A request as Redoc, Scalar and other readers of OpenAPI show it. */
export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

export interface OpenApiOptions {
  readonly model: Model;
  readonly info: ApiInfo;
  readonly schemes: SecuritySchemes;
  readonly formats: readonly Format[];
  readonly version: OpenApiVersion;
  readonly described: OpenApiFormats;
  readonly methodsOfPath: ReadonlyMap<string, readonly string[]>;
  /** The mount path of the API. */
  readonly prefix: string;
  readonly writeSamples: WriteSamples;
}

/** A resource in the document. */
export interface DocumentedResource extends Pick<OpenApiOptions, "model" | "formats" | "version" | "described"> {
  readonly resource: ResourceModel;
  /** The names of the security schemes. */
  readonly schemes: readonly string[];
  readonly samples: Samples;
}

/** Writes `x-codeSamples` for an operation with this `security`. */
export type Samples = (
  sample: Operation | undefined,
  security: { readonly security?: readonly JsonObject[] },
  method?: "QUERY",
) => JsonObject;

export type PathEntry = readonly [path: string, item: JsonObject];

/** Removes members that are `undefined`. */
export function compact(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

export function ref(kind: "schemas" | "responses" | "headers" | "parameters", name: string): JsonObject {
  return { $ref: `#/components/${kind}/${name}` };
}

interface OperationParts extends Readonly<Record<string, unknown>> {
  /** The resource of the rows in requests and responses. Default: the resource of the path. */
  readonly subject?: ResourceModel;
  readonly description?: string | undefined;
  readonly responses: JsonObject;
}

/** Creates an operation with the parts that all operations of a resource share. */
export function operation(
  resource: ResourceModel,
  operationId: string,
  summary: string,
  { subject = resource, description = `${summary}.`, responses, ...others }: OperationParts,
): JsonObject {
  const deprecated = resource.deprecated === undefined ? undefined : true;
  const isDeprecating =
    deprecated === true ||
    others["deprecated"] === true ||
    subject.visibleFields.some(({ deprecation }) => deprecation);
  return compact({
    operationId,
    summary,
    description,
    tags: [resource.plural],
    deprecated,
    ...(others as JsonObject),
    responses: isDeprecating ? withDeprecation(responses) : responses,
  });
}

/** Returns the `security` of an operation, and the samples of a call that needs it. */
export function sampled(
  { samples }: Pick<DocumentedResource, "samples">,
  needed: { readonly security?: JsonObject[] },
  sample: Operation | undefined,
  method?: "QUERY",
): JsonObject {
  return { ...needed, ...samples(sample, needed, method) };
}

const DEPRECATION = ["Deprecation", "Sunset", "Link"];

/** Adds the headers that announce a deprecation. */
function withDeprecation(responses: JsonObject): JsonObject {
  const deprecationHeaders = Object.fromEntries(DEPRECATION.map((name) => [name, ref("headers", name)]));
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const { headers = {}, ...others } = response as JsonObject;
      return [
        status,
        /^[23]/.test(status) ? { ...others, headers: { ...(headers as JsonObject), ...deprecationHeaders } } : response,
      ];
    }),
  );
}
