import type { Asset } from "../../message/message.ts";
import type { Model, RelationModel, ResourceModel } from "../../model/model.ts";
import type { PermissionsOutcome } from "../../operation/outcome.ts";
import type { Selection } from "../../operation/selection.ts";
import type { Json } from "../../util/json.ts";
import type { PageLinks } from "../read/page-links.ts";

/**
 * One way to write answers, by media type. What it has decides where it is offered: `item` for single rows, `list` for
 * pages, `stream` for lists of any length. JSON is always there besides.
 *
 * @example const yaml: Format = { mediaType: "application/yaml", item: ({ row }) => stringify(rowToJson(row)) };
 */
export interface Format {
  /** Lower case, without parameters: `text/csv`. */
  readonly mediaType: string;
  /** What `Content-Type` says. Default: the media type. */
  readonly contentType?: string;
  readonly item?: (view: ItemView) => string | Promise<string>;
  /** What a relation to one that leads to no row is answered with, by 200. Default: 404. */
  readonly none?: (view: View) => string;
  readonly list?: (view: ListView) => string | Promise<string>;
  /** Writes rows one by one. A list without page parameters is then sent whole, in pieces. */
  readonly stream?: (view: View) => StreamWriter;
  readonly problem?: ProblemFormat;
  /** Members that its answers have beside the fields of a row; no field may be named so. */
  readonly reserved?: readonly string[];
  /**
   * Reads the fields of a row out of a request body of this media type: out of its JSON, or out of its text where the
   * media type is not of JSON (`…/json`, `…+json`). Throws `BifocalError`.
   */
  readonly parse?: (body: Json, target: InputTarget) => unknown;
  /** Reads `fields[type]`, the members of `fields`, in requests for this format. Default: `fields` is one list. Throws `BifocalError`. */
  readonly fieldsets?: (model: Model, members: Readonly<Record<string, unknown>>) => Fieldsets;
  /** Which rows a relation leads to, at `/books/{id}/relationships/author`. Without it that path leads nowhere. */
  readonly relationship?: RelationshipFormat;
  /** Whether a body with this `Content-Type`, parameters and all, can be read. Default: each in UTF-8. */
  readonly takes?: (contentType: string) => boolean;
  /** Further headers of every answer in this format. */
  readonly headers?: (resource: ResourceModel) => Readonly<Record<string, string>>;
  /** The index of the API. Default: JSON. */
  readonly index?: (view: IndexView) => string;
  /** Further headers of the index. */
  readonly pageHeaders?: Readonly<Record<string, string>>;
  /** Files that its answers refer to, at `/-/{name}`. */
  readonly assets?: Readonly<Record<string, Asset>>;
  /** Whether parameters without a value are left out, as forms send them for fields that were not filled in. */
  readonly ignoresEmpty?: boolean;
}

/** What is asked for of a resource, wherever it stands in the answer. */
export interface Fieldset {
  readonly fields: ReadonlySet<string>;
  /** Relations to tell of; which of them are embedded is for `include` to say. */
  readonly relations: ReadonlySet<string>;
}

/** By the names of resources; of others everything is asked for. */
export type Fieldsets = ReadonlyMap<string, Fieldset>;

/** The API, as its pages name it. */
export interface ApiView {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  /** OpenAPI security schemes by name. */
  readonly schemes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly formats: readonly Format[];
}

export interface IndexView {
  readonly api: ApiView;
  readonly model: Model;
  readonly prefix: string;
}

/** How errors are written for clients that want this format. Without it they are `application/problem+json`. */
export interface ProblemFormat {
  readonly contentType: string;
  readonly write: (problem: Problem, place: ProblemPlace) => string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What every answer of rows knows. */
export interface View {
  readonly api: ApiView;
  readonly model: Model;
  readonly resource: ResourceModel;
  /** What was asked for. */
  readonly selection: Selection;
  /** What was asked for by type, in a format that reads such. */
  readonly fieldsets?: Fieldsets | undefined;
  /** Where the API is mounted: `/api`, or empty. */
  readonly prefix: string;
  /** Path and query that were asked for, with the prefix. */
  readonly url: string;
  /** Path and query within the API. */
  readonly path: string;
  readonly query: string;
}

export interface ItemView extends View {
  readonly row: RowView;
  /** 200, or 201 for a new row. */
  readonly status: number;
  /** Names the state of the row, as `If-Match` takes it. */
  readonly version: string | undefined;
  /** What the caller may do with the row. */
  readonly may: () => Promise<PermissionsOutcome>;
}

export interface ListView extends View {
  readonly rows: readonly RowView[];
  readonly links: PageLinks;
  /** All rows that match, where the request counts them. */
  readonly total: number | undefined;
  /** The relation that the list is of, where it is one of a row's. */
  readonly isNested: boolean;
  /** What the caller may do with the resource. */
  readonly may: () => Promise<PermissionsOutcome>;
}

export interface RelationshipFormat {
  readonly write: (view: RelationshipView) => string;
  /** The keys that a body names; of a relation to one a key, or none. Throws `BifocalError`. */
  readonly parse: (body: Json, target: { readonly model: Model; readonly relation: RelationModel }) => readonly Json[];
}

export interface RelationshipView extends Pick<View, "prefix" | "url"> {
  /** Whose relation it is. */
  readonly resource: ResourceModel;
  readonly id: string;
  readonly relation: RelationModel;
  /** With their keys alone. */
  readonly rows: RowView | readonly RowView[] | null;
  /** Of a relation to many. */
  readonly links: PageLinks | undefined;
  readonly total: number | undefined;
}

/** A row as the caller may see it. What it may not read is absent. */
export interface RowView {
  readonly resource: ResourceModel;
  /** As in addresses. */
  readonly id: string;
  /** The selected fields in wire form, in the order of their definition. */
  readonly fields: Readonly<Record<string, Json>>;
  /** The embedded relations, by name. */
  readonly relations: Readonly<Record<string, RowView | readonly RowView[] | null>>;
}

export interface StreamWriter {
  readonly head: string;
  readonly row: (row: RowView) => string;
  readonly foot: string;
}

/** RFC 9457 §3.1, with a code and the issues of an input. */
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
  /** Whose fields the body of the request held, where it was written in this format: of a row, or at a relationship URL. */
  readonly body?: { readonly resource: ResourceModel; readonly of: "row" | "relationship" };
}

/** Whose fields a body holds. */
export interface InputTarget {
  readonly model: Model;
  readonly resource: ResourceModel;
  readonly mode: "create" | "replace" | "update";
  /** Of the row that is written, where it exists. */
  readonly id: string | undefined;
}

/** A row as plain JSON, relations under their own names. */
export function rowToJson({ fields, relations }: RowView): Record<string, Json> {
  const row: Record<string, Json> = { ...fields };
  for (const [name, related] of Object.entries(relations)) {
    row[name] = related === null ? null : isRows(related) ? related.map(rowToJson) : rowToJson(related);
  }
  return row;
}

export function isRows(related: RowView | readonly RowView[]): related is readonly RowView[] {
  return Array.isArray(related);
}

/** The address of a row. */
export function rowUrl({ prefix }: Pick<View, "prefix">, { resource, id }: Pick<RowView, "resource" | "id">): string {
  return `${prefix}/${resource.path}/${id}`;
}
