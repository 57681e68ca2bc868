import type { MaybePromise } from "../../util/maybe-promise.ts";
import type { Principal } from "../../definition/principal.ts";
import type { Asset } from "../../message/message.ts";
import type { Model, RelationModel, ResourceModel } from "../../model/model.ts";
import type { Group } from "../../operation/group.ts";
import type { PermissionsOutcome } from "../../operation/outcome.ts";
import type { Selection } from "../../operation/selection.ts";
import type { Json } from "../../util/json.ts";
import type { GraphqlSignature } from "../schema/graphql-names.ts";
import type { SchemaResource } from "../schema/schema-resource.ts";
import type { ShownAccess } from "../schema/shown-access.ts";
import type { PageLinks } from "../read/page-links.ts";
import { type RelationTotal, writeTotal } from "../response/relation-total.ts";
import { writeGroups } from "../response/write-groups.ts";

/**
 * A format for responses, identified by its media type. Its methods decide where it is available: `item` for single
 * rows, `list` for pages, `stream` for lists of any length. JSON is always available.
 * @example const yaml: Format = { mediaType: "application/yaml", item: ({ row }) => stringify(rowToJson(row)) };
 */
export interface Format {
  /** In lower case, without parameters: `text/csv`. */
  readonly mediaType: string;
  /** The `Content-Type` header. Default: the media type. */
  readonly contentType?: string;
  /**
   * Returns the fields and relations to read, if the format shows more than the request asks for. They are in the rows of its
   * views, but not in `view.selection`. Default: what the request asks for.
   */
  readonly select?: (model: Model, resource: ResourceModel, selection: Selection) => Selection;
  readonly item?: (view: ItemView) => string | Promise<string>;
  /** Writes the 200 response for a to-one relation without a row. Default: 404. */
  readonly none?: (view: View) => string;
  readonly list?: (view: ListView) => string | Promise<string>;
  /** Writes rows individually. A list without page parameters is then sent completely, in chunks. */
  readonly stream?: (view: View) => StreamWriter;
  /** Writes the groups of an aggregate. Default: 406. */
  readonly groups?: (view: GroupsView) => string | Promise<string>;
  readonly problem?: ProblemFormat;
  /** Members that its responses have in addition to the fields of a row. Fields can't have these names. */
  readonly reserved?: readonly string[];
  /**
   * Reads the fields of a row from a request body of this media type. The body is parsed JSON if the media type is JSON
   * (`…/json`, `…+json`), and text otherwise. Throws `BifocalError`.
   */
  readonly parse?: (body: Json, target: InputTarget) => unknown;
  /**
   * Reads `fields[type]`, the members of `fields`, in requests for this format. Default: `fields` is a single list.
   * Throws `BifocalError`.
   */
  readonly fieldsets?: (model: Model, members: Readonly<Record<string, unknown>>) => Fieldsets;
  /** Whether a body with this `Content-Type`, including parameters, can be read. Default: any in UTF-8. */
  readonly takes?: (contentType: string) => boolean;
  /** Parameters of the media type that have no effect in `Accept`, as a global pattern. Default: a charset of UTF-8. */
  readonly ignoredParameters?: RegExp;
  /** Additional headers of every response in this format. */
  readonly headers?: (resource: ResourceModel) => Readonly<Record<string, string>>;
  /** Writes the index of the API. Default: JSON. */
  readonly index?: (view: IndexView) => MaybePromise<string>;
  /** Additional headers of the index. */
  readonly pageHeaders?: Readonly<Record<string, string>>;
  /** Files that its responses refer to, at `/-/{name}`. */
  readonly assets?: Readonly<Record<string, Asset>>;
  /** Pages that show no rows, at `/-/{name}`, with the headers of the index. */
  readonly pages?: Readonly<Record<string, (view: PageView) => string>>;
  /** Writes the page that browsers get at `/graphql` if the API has no GraphiQL, with the headers of the index. */
  readonly endpointPage?: (view: PageView) => string;
  /** Writes the pages of the schema, at `/-/schema`, with the headers of the index. */
  readonly schema?: (view: SchemaView) => MaybePromise<string>;
  /** Whether to ignore parameters without a value, which forms send for empty inputs. */
  readonly ignoresEmpty?: boolean;
}

/** The requested fields and relations of a resource, wherever it occurs in the response. */
export interface Fieldset {
  readonly fields: ReadonlySet<string>;
  /** Relations to describe. `include` decides which of them are embedded. */
  readonly relations: ReadonlySet<string>;
}

/** By resource name. All fields and relations of other resources are requested. */
export type Fieldsets = ReadonlyMap<string, Fieldset>;

/** The API's name and description, as used on its pages. */
export interface ApiView {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  /** OpenAPI security schemes by name. */
  readonly schemes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly formats: readonly Format[];
  /** Paths of the pages for developers, such as `/docs`, by title. */
  readonly developerPages: Readonly<Record<string, string>>;
  /** Path that explains a request to developers. Absent if `explain` is off. */
  readonly explainPath?: string;
}

/** The parts of the API that each page shows. */
export interface PageView {
  readonly api: ApiView;
  readonly model: Model;
  /** The mount path of the API: `/api`, or empty. */
  readonly prefix: string;
}

export interface IndexView {
  readonly api: ApiView;
  readonly model: Model;
  readonly prefix: string;
  readonly principal: ReadPrincipal;
  /** Returns a read in each style, by its path and query within the API. */
  readonly requestTextsOf: (path: string, query: string) => Promise<RequestTexts | undefined>;
}

/** The schema of the API: of all resources, or of one. */
export interface SchemaView extends IndexView {
  readonly resources: readonly SchemaResource[];
  /** The resource of the page. Undefined on the page of all resources. */
  readonly resource: SchemaResource | undefined;
  /** The root fields of GraphQL that belong to no resource. */
  readonly others: readonly GraphqlSignature[];
  /** The permissions of callers. Undefined if `explain` is off. */
  readonly access: ShownAccess | undefined;
}

/** The format of errors for clients that accept this format. Default: `application/problem+json`. */
export interface ProblemFormat {
  readonly contentType: string;
  readonly write: (problem: Problem, place: ProblemPlace) => string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The data that is common to all responses with rows. */
export interface View {
  readonly api: ApiView;
  readonly model: Model;
  readonly resource: ResourceModel;
  /** The requested fields and relations. */
  readonly selection: Selection;
  /** The requested fields by type, in a format that supports them. */
  readonly fieldsets?: Fieldsets | undefined;
  /** The mount path of the API: `/api`, or empty. */
  readonly prefix: string;
  /** Path and query of the request, with the prefix. */
  readonly url: string;
  /** Path and query within the API. */
  readonly path: string;
  readonly query: string;
  /** Returns the request in each style. Undefined unless it is a read by `GET`. */
  readonly requestTexts: () => Promise<RequestTexts | undefined>;
}

/** A request in each style, as text for people. */
export interface RequestTexts {
  readonly rest: RequestText;
  readonly graphql: RequestText;
  /** A call of `@bifocal/client`. */
  readonly client: RequestText;
  /** The maximum cost of the request, and the largest cost that is allowed. */
  readonly cost: number;
  readonly maxCost: number;
  /** Path and query of the request within the API, without empty parameters. */
  readonly url: string;
}

/** A request in one style, or the reason why the style doesn't have it. */
export type RequestText =
  | {
      readonly text: string;
      /** The variables of a GraphQL document as JSON, if it has any. */
      readonly variables?: string;
    }
  | { readonly reason: string };

export interface ItemView extends View {
  readonly row: RowView;
  /** 200, or 201 for a new row. */
  readonly status: number;
  /** The version of the row, as `If-Match` takes it. */
  readonly version: string | undefined;
  readonly principal: ReadPrincipal;
  /** Returns what the caller is allowed to do with the row. */
  readonly may: () => Promise<PermissionsOutcome>;
  readonly linked: ReadLinked;
  readonly referenced: ReadReferenced;
}

/** Reads rows along a to-many relation of a row, with their keys and these fields. Counts as a part of the request. */
export type ReadLinked = (relation: RelationModel, fields: readonly string[]) => Promise<LinkedRows>;

export interface LinkedRows {
  readonly rows: readonly RowView[];
  /** False if there are more rows, or if the caller can't read the relation. */
  readonly isWhole: boolean;
}

export interface ListView extends View {
  readonly rows: readonly RowView[];
  readonly links: PageLinks;
  /** Number of all matching rows, if the request counts them. */
  readonly total: number | undefined;
  /** False if counting stopped at the limit, so there are at least `total` rows. */
  readonly totalIsExact: boolean | undefined;
  /** True if the list is a relation of a row. */
  readonly isNested: boolean;
  readonly principal: ReadPrincipal;
  /** Returns what the caller is allowed to do with the resource. */
  readonly may: () => Promise<PermissionsOutcome>;
  readonly referenced: ReadReferenced;
}

/** Returns the caller, or null if it is anonymous. A response that uses it is not stored in shared caches. */
export type ReadPrincipal = () => Principal | null;

export interface GroupsView extends View {
  readonly principal: ReadPrincipal;
  readonly groups: readonly Group[];
  /** The names of the values by which rows are grouped: `genre`, `createdAt.month`. */
  readonly terms: readonly string[];
  /** The names of the requested values: `count`, `avg.price`. */
  readonly measures: readonly string[];
  readonly links: PageLinks;
  /** Number of groups on all pages. */
  readonly total: number;
  readonly referenced: ReadReferenced;
}

/**
 * Reads the rows that values of a foreign key refer to, with their keys and these fields, in one read. Omits rows that
 * the caller can't read. Counts as a part of the request.
 */
export type ReadReferenced = (
  relation: RelationModel,
  values: readonly Json[],
  fields: readonly string[],
) => Promise<readonly RowView[]>;

/** A row as the caller may see it. Fields that the caller can't read are absent. */
export interface RowView {
  readonly resource: ResourceModel;
  /** In the form of URLs. */
  readonly id: string;
  /** The selected fields in wire form, in the order of their definition. */
  readonly fields: Readonly<Record<string, Json>>;
  /** The embedded relations, by name. */
  readonly relations: Readonly<Record<string, RowView | readonly RowView[] | null>>;
  /** The totals of embedded lists that the request counts, by relation. */
  readonly totals: Readonly<Record<string, RelationTotal>>;
  /** The groups of aggregated relations, by relation. */
  readonly groups: Readonly<Record<string, readonly Group[]>>;
}

export interface StreamWriter {
  readonly head: string;
  readonly row: (row: RowView) => string;
  readonly foot: string;
}

/** A problem (RFC 9457 §3.1), extended by a code and the issues of an input. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string | undefined;
  readonly code: string;
  readonly errors:
    | readonly { readonly path: readonly (string | number)[]; readonly message: string; readonly code: string }[]
    | undefined;
  readonly requestId: string | undefined;
}

export interface ProblemPlace {
  readonly api: ApiView;
  readonly model: Model;
  readonly prefix: string;
  readonly request: ProblemRequest;
  /** The caller, or null if it is anonymous. Absent if the request was rejected before the caller was identified. */
  readonly principal?: Principal | null;
  /** Seconds after which the request can succeed, if the error contains them. */
  readonly retryAfter?: number;
  /**
   * Set if the request body was written in this format: the resource of its fields, and whether the URL was that of
   * rows. Otherwise the format itself added the URL.
   */
  readonly body?: { readonly resource: ResourceModel; readonly isRow: boolean };
}

/** The rejected request. */
export interface ProblemRequest {
  readonly method: string;
  /** Path and query within the API. */
  readonly path: string;
  readonly query: string;
  /** The request in each style, if it is a read. */
  readonly texts?: RequestTexts;
  /** The mistakes of the request, if it is a read. `texts` prints it with something valid in the place of each. */
  readonly mistakes?: readonly RequestMistake[];
}

/** A mistake of a request: an invalid name or value, or a parameter that is left out of the other styles. */
export interface RequestMistake {
  /** Its place, such as `["filter", "price", "lt"]`, in the request without the mistakes before it. */
  readonly path: readonly (string | number)[];
  readonly kind: "name" | "value" | "parameter";
  readonly text: string;
  /** The valid name or value in its place. Empty for a parameter. */
  readonly standIn: string;
  /** The name that the error suggests instead of a misspelled one. */
  readonly suggestion?: string;
}

/** The target of the fields in a body. */
export interface InputTarget {
  readonly model: Model;
  readonly resource: ResourceModel;
  readonly mode: "create" | "replace" | "update";
  /** The id of the row that is written, if it exists. */
  readonly id: string | undefined;
}

/** Converts a row to plain JSON, with relations under their own names. */
export function rowToJson({ fields, relations, totals, groups }: RowView): Record<string, Json> {
  const row: Record<string, Json> = { ...fields };
  for (const [name, related] of Object.entries(relations)) {
    row[name] = related === null ? null : isRows(related) ? related.map(rowToJson) : rowToJson(related);
    if (totals[name] !== undefined) writeTotal(row, name, totals[name]);
  }
  for (const [name, own] of Object.entries(groups)) writeGroups(row, name, own);
  return row;
}

export function isRows(related: RowView | readonly RowView[]): related is readonly RowView[] {
  return Array.isArray(related);
}

/** Returns the URL of a row. */
export function rowUrl({ prefix }: Pick<View, "prefix">, { resource, id }: Pick<RowView, "resource" | "id">): string {
  return `${prefix}/${resource.path}/${id}`;
}
